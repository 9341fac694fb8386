"""The layout is a rule: which room may import which, and how long modules and functions may be."""

import ast
from pathlib import Path

import pytest

from bitblossom_env.core.jit import KERNEL_FOLDERS

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("bitblossom_env", "agents", "training")
MAX_MODULE, MAX_RULE_MODULE, MAX_FUNCTION, MAX_NESTING = 300, 150, 40, 3
# Longest matching prefix decides. A module may import its own room and the rooms named here.
ALLOWED = {
    "bitblossom_env.core": (),
    "bitblossom_env.bitblossom": ("bitblossom_env.core",),
    "bitblossom_env.aronda": ("bitblossom_env.core",),
    "bitblossom_env.rendering": ("bitblossom_env.core",),
    "bitblossom_env.envs": ("bitblossom_env.core", "bitblossom_env.rendering"),
    "bitblossom_env": ("bitblossom_env.core", "bitblossom_env.envs"),
    "agents": ("bitblossom_env.core",),
    # Heuristics of one game use its kernels directly, so that no rule is written twice.
    **{
        f"agents.{name}": (
            "bitblossom_env.core",
            "bitblossom_env.bitblossom",
            "agents",
            *(f"agents.{n}" for n in below),
        )
        for name, below in {
            "trials": (),
            "greedy": ("trials",),
            "cuts": ("trials",),
            "cutter": ("trials", "cuts"),
            "sieges": ("trials",),
            "closer": ("sieges",),
            "planner": ("sieges",),
            "playouts": ("trials", "sieges", "search"),
        }.items()
    },
    "agents.search": ("bitblossom_env.core", "agents"),
    "agents.mcts": ("agents", "agents.search"),
    "agents.blossom": ("agents", "agents.neural"),
    "agents.neural": ("bitblossom_env.core", "agents", "agents.search"),
    "agents.aronda": ("bitblossom_env.core", "bitblossom_env.aronda", "agents", "agents.search"),
    "training": (
        "bitblossom_env",
        "bitblossom_env.core",
        "bitblossom_env.envs",
        "bitblossom_env.rendering",
        "agents",
        "agents.neural",
        "agents.search",
    ),
}
# Libraries that the environment never loads; the optional ones belong to agents and training.
HEAVY = {"torch", "pygame", "scipy", "matplotlib", "rich", "jsonargparse", "choix", "tensorboard"}
# Modules whose kernels are the rules; the limit for them is tighter.
RULE_FOLDERS = ("bitblossom_env/bitblossom", "bitblossom_env/aronda")
# One idea each, and longer for a reason: the planes' table, the union-find replay, the value object around the state.
LONG_RULE_MODULES = {"observation.py", "sea_replay.py", "game.py", "config.py", "state.py"}

FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TEST_FILES = sorted((ROOT / "tests").rglob("*.py"))
BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module):
    return max((room for room in ALLOWED if module == room or module.startswith(room + ".")), key=len, default=None)


def imported_modules(path):
    """Yields the full names of the modules that a file imports, anywhere in it."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*base, node.module] if node.module else base)
            names = [f"{source}.{alias.name}" for alias in node.names]
            yield from (name if is_module(name) else source for name in names)


def is_module(name):
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_follow_the_arrows(path):
    room = room_of(module_name(path))
    assert room is not None, "a room without arrows: add it to ALLOWED"
    for imported in imported_modules(path):
        if imported.split(".")[0] in PACKAGES:
            target = room_of(imported)
            assert target == room or target in ALLOWED[room], f"{room} may not import {imported}"
        if path.is_relative_to(ROOT / "bitblossom_env"):
            assert imported.split(".")[0] not in HEAVY, f"the environment may not import {imported}"


SHARED = ("bitblossom_env/core", "bitblossom_env/envs", "agents/search", "agents/neural", "training")
SHARED_FILES = [path for path in FILES if str(path.relative_to(ROOT)).startswith(SHARED)]


def is_word(node):
    """Whether a part of a program is a word of its own, or several."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(is_word(part) for part in node.elts)
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def asks_which_game(node):
    """Whether a part of a program compares the name of a game with a word."""
    if isinstance(node, ast.Match):
        return is_game_name(node.subject)
    sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    return any(is_game_name(side) for side in sides) and any(is_word(side) for side in sides)


def is_game_name(node):
    """Whether a part of a program is the name of a game."""
    return getattr(node, "attr", getattr(node, "id", None)) in ("game", "game_name", "GAME_NAME")


@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_shared_does_not_ask_which_game_it_has(path):
    asking = [node.lineno for node in ast.walk(ast.parse(path.read_text())) if asks_which_game(node)]
    assert not asking


def test_asking_which_game_is_seen():
    assert all(
        any(asks_which_game(node) for node in ast.walk(ast.parse(text)))
        for text in ('x = setup.game_name == "go"', 'if config.game in ("go", "chess"): pass', 'y = "go" != game')
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_are_short(path):
    text = path.read_text()
    assert len(text.splitlines()) <= MAX_MODULE, f"over {MAX_MODULE} lines: name the missing idea"
    if str(path.relative_to(ROOT)).startswith(RULE_FOLDERS) and path.name not in LONG_RULE_MODULES:
        imports = [node.end_lineno for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom))]
        num_lines = len(text.splitlines()) - max(imports, default=0)  # names of fields, one a line, are no logic
        assert num_lines <= MAX_RULE_MODULE, f"over {MAX_RULE_MODULE} lines: name the missing idea"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = [
                statement for statement in node.body if not isinstance(statement, ast.Expr) or statement != node.body[0]
            ]
            length = node.end_lineno - body[0].lineno + 1 if body else 0
            assert length <= MAX_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", TEST_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_tests_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_MODULE, f"over {MAX_MODULE} lines: split the file"


def is_elif(parent, child):
    """Whether a child is the `elif` of its parent, or the `if` alone in its `else`, which reads as one more branch."""
    return isinstance(parent, ast.If) and isinstance(child, ast.If) and parent.orelse == [child]


def nesting(node, depth=0):
    """The greatest number of blocks around a statement; an inner function begins anew."""
    deepest = depth
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            continue
        is_deeper = isinstance(child, BLOCKS) and not is_elif(node, child)
        deepest = max(deepest, nesting(child, depth + is_deeper))
    return deepest


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_nest_little(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, FUNCTIONS[:2]):
            depth = nesting(node)
            assert depth <= MAX_NESTING, f"{node.name} nests {depth} deep: name the missing function"


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        ("return 1", 0),
        ("for x in y:\n  while x:\n   if x:\n    return 1", 3),
        ("if x:\n  pass\n elif y:\n  pass\n elif z:\n  for a in b:\n   pass", 2),
        ("if x:\n  pass\n else:\n  for a in b:\n   if a:\n    pass", 3),
        ("try:\n  with x:\n   pass\n except E:\n  for a in b:\n   if a:\n    pass", 3),
        ("for a in b:\n  if a:\n   pass\n  else:\n   x = 1\n   if x:\n    while x:\n     pass", 4),
        ("for a in b:\n  def inner():\n   for x in y:\n    if x:\n     while x:\n      pass", 1),
    ],
)
def test_nesting_is_counted(body, depth):
    assert nesting(ast.parse(f"def function():\n {body}").body[0]) == depth


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_kernels_live_where_the_cache_looks(path):
    if "@kernel\n" in path.read_text() and path.is_relative_to(ROOT / "bitblossom_env"):
        assert path.parent.name in KERNEL_FOLDERS


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_numba_flags_and_cycles_stay_out(path):
    text = path.read_text()
    if path.name not in {"jit.py", "bits.py"}:
        assert "import numba" not in text
        assert "from numba" not in text
    tree = ast.parse(text)
    inner = [
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    if path.is_relative_to(ROOT / "bitblossom_env"):
        assert not inner, "an import inside a function dodges a cycle"
