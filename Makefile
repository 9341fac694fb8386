# The newcomer's two commands: `make demo` and `make test`. Both make a virtual environment in .venv first.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where a CPU build of torch is not found by itself, name the index of its wheels: make demo TORCH_INDEX=URL
PIP_FLAGS := $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
SECONDS ?= 300
SEED ?= 0
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint fuzz first-look ladder aronda weights card bench performance coverage clean

help:  ## lists what can be made
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*##/\t/' | expand -t 14

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet $(PIP_FLAGS) --constraint constraints.txt --editable '.[dev]'
	touch $@

demo: $(VENV)/installed  ## trains a bot for about three minutes, rates it, shows one of its games
	$(BIN)/bitblossom train configs/demo.yaml --out runs/demo
	$(BIN)/bitblossom evaluate checkpoint:runs/demo random --board 7 --players 2 --games 400 --seed 1 \
		--json runs/demo/against_random.json --records runs/demo/games.jsonl
	$(BIN)/bitblossom evaluate checkpoint:runs/demo greedy --board 7 --players 2 --games 400 --seed 1 \
		--json runs/demo/against_greedy.json
	$(BIN)/bitblossom replay runs/demo/games.jsonl

test: $(VENV)/installed  ## the default suite, then the rule tests without the compiler and with bounds checks
	$(BIN)/python -m pytest $(IN_PARALLEL)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(IN_PARALLEL) $(RULE_TESTS)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(IN_PARALLEL) $(RULE_TESTS) $(INDEX_TESTS)

test-all: $(VENV)/installed  ## everything, slow tests included
	$(BIN)/python -m pytest $(IN_PARALLEL) -m 'slow or not slow'

IN_PARALLEL = --numprocesses $(WORKERS) --dist worksteal
# Every clause, fact and trap as a drawn position, and whole games in golden records.
RULE_TESTS := $(addprefix tests/bitblossom/test_,facts.py facts_captures.py traps.py traps_after_turn.py turn_rules.py \
	end_of_turn.py golden.py) $(addprefix tests/aronda/test_,engine.py game.py)
# What reaches the ends of every array.
INDEX_TESTS := $(addprefix tests/bitblossom/test_,batch.py large_boards.py extra_planes.py)

coverage: $(VENV)/installed  ## line and branch coverage of the rules, which needs the compiler off
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest tests/bitblossom
	$(BIN)/python -m coverage report

lint: $(VENV)/installed  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fuzz: $(VENV)/installed  ## engine and slow twin in lockstep: make fuzz SECONDS=300 SEED=0
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED)

first-look: $(VENV)/installed  ## the tables of docs/first-look.md
	$(BIN)/bitblossom first-look --players 2 3 4 --board 7 9 --games 400 --random_turns 0 --markdown docs/first-look.md

# Board, players, least number of games of every two agents.
LADDER = 7:2:120 9:2:120 9:3:72 9:4:72 13:4:32
LADDER_AGENTS = random random:any greedy cutter closer planner mcts:100
ladder: $(VENV)/installed  ## the tables of docs/agents.md, in a quarter of an hour; what is there already is not played again
	for table in $(LADDER); do board=$${table%%:*}; games=$${table##*:}; players=$${table%:*}; players=$${players#*:}; \
		$(BIN)/bitblossom tournament $(LADDER_AGENTS) --board $$board --players $$players --games $$games \
			--out runs/ladder/$$board-$$players || exit; done
	sed -i '/^## Ladder/q' docs/agents.md
	for table in $(LADDER); do board=$${table%%:*}; players=$${table%:*}; players=$${players#*:}; \
		echo; cat runs/ladder/$$board-$$players/agents.md; done >> docs/agents.md

ARONDA = --game aronda --games 400
aronda: $(VENV)/installed  ## trains the bot of configs/aronda.yaml and writes the tables of docs/aronda.md, in half an hour
	test -d runs/aronda || $(BIN)/bitblossom train configs/aronda.yaml --out runs/aronda
	for agent in random greedy mcts:1000; do $(BIN)/bitblossom evaluate checkpoint:runs/aronda $$agent $(ARONDA) --seed 1 \
		--markdown runs/aronda/against-$${agent%:*}.md || exit; done
	$(BIN)/bitblossom first-look $(ARONDA) --agent mcts:1000 checkpoint:runs/aronda --random_turns 0 \
		--markdown runs/aronda/first-look.md
	sed -i '/^## The bot against others/q' docs/aronda.md
	for agent in random greedy mcts; do echo; cat runs/aronda/against-$$agent.md; done >> docs/aronda.md
	echo >> docs/aronda.md
	sed 's/^#/##/' runs/aronda/first-look.md >> docs/aronda.md

weights: $(VENV)/installed  ## trains the bot that ships as `blossom`, in an hour and a quarter, and writes its card
	test -d runs/first || $(BIN)/bitblossom train configs/cpu_7x7.yaml --out runs/first
	test -d runs/blossom || $(BIN)/bitblossom train configs/blossom.yaml --out runs/blossom
	cp runs/blossom/checkpoints/latest/model.safetensors runs/blossom/checkpoints/latest/meta.json agents/weights/blossom
	$(MAKE) card

# File in runs/card, board, games, agents: a comma stands for a space.
CARD = planner:9:400:blossom,planner closer:9:400:blossom,closer greedy:9:400:blossom,greedy mcts:9:200:blossom,mcts_400 \
	searching:9:400:blossom?sims=64,blossom searching-planner:9:200:blossom?sims=64,planner \
	searching-mcts:9:200:blossom?sims=64,mcts_400 3-planners:9:402:blossom,planner,planner \
	4-planners:9:400:blossom,planner,planner,planner 4-greedy:9:400:blossom,greedy,greedy,greedy \
	3-greedy:9:402:blossom,greedy,greedy
card: $(VENV)/installed  ## the tables of the card of `blossom`, in half an hour
	mkdir -p runs/card
	for line in $(CARD); do IFS=: read -r name board games agents <<< "$$line"; \
		agents=$$(echo $$agents | tr ',' ' ' | sed 's/mcts_/mcts:/'); \
		$(BIN)/bitblossom evaluate $$agents --players $$(echo $$agents | wc -w) --board $$board --games $$games --seed 1 \
			--markdown runs/card/$$name.md || exit; done
	sed -i '/^## How strong it is/q' agents/weights/blossom/README.md
	for line in $(CARD); do echo; cat runs/card/$${line%%:*}.md; done >> agents/weights/blossom/README.md

# Named bench_*.py, so that no other run collects them.
bench: $(VENV)/installed  ## times of kernels and steps, one by one
	$(BIN)/python -m pytest tests/benchmarks --override-ini python_files='bench_*.py' --benchmark-columns=min,median,iqr,ops \
		--benchmark-group-by=group --benchmark-sort=name

performance: $(VENV)/installed  ## figures and plots of docs/performance.md, beside other libraries; needs a quiet machine
	$(BIN)/python -m pip install --quiet $(PIP_FLAGS) --constraint constraints.txt --editable '.[dev,bench]'
	$(BIN)/bitblossom bench --peers --markdown docs/performance.md --plots docs

clean:  ## removes what the other targets have made, runs apart
	rm -rf $(VENV) .numba_cache build dist *.egg-info
