"""The report: words for figures, tables, the page, the plots, and the command around them."""

import json
from importlib.util import find_spec

import pytest

from training.benchmarks.contest import Run, Spread
from training.benchmarks.page import Machine, installed, page
from training.benchmarks.parts import flat, peers
from training.benchmarks.parts.common import BOARDS, floor_table
from training.benchmarks.report import (
    Chart,
    Part,
    Table,
    Verdict,
    rate_text,
    ratio_text,
    rounded,
    seconds_text,
    titled_table,
    verdict_table,
)
from training.cli import main
from training.commands.bench import OWN_PARTS, part_names

MACHINE = Machine("a processor", 2, "3.11.0", {"numpy": "2.0.0"}, "2026-01-31")
CHART = Chart(
    "a-plot", "Title", "x", "y", {"line": [(1.0, 2.0), (10.0, 3.0)], "other": [(1.0, 1.0)]}, reference="other"
)


def run_of(*rates, **facts):
    """A run whose rounds have these rates."""
    return Run(facts, [{"steps": rate, "seconds": 1.0, "elapsed": 1.0, "choosing": 0.0} for rate in rates])


@pytest.mark.parametrize(
    ("value", "text"),
    [(1_234_567, "1,235,000"), (12_345, "12,340"), (999, "999"), (45.678, "45.68"), (0.5, "0.500"), (-250, "-250")],
)
def test_numbers_have_four_digits(value, text):
    assert rounded(value) == text


def test_figures_bring_their_spread():
    spread = Spread(1234.5, 1000.2, 2000.9)
    assert rate_text(spread) == "1,234 (1,000..2,001)"
    assert ratio_text(Spread(1.5, 1.25, 2)) == "1.50x (1.25..2.00)"
    assert seconds_text(Spread(1.5, 1.25, 2)) == "1.50 s (1.25..2.00)"
    assert seconds_text(Spread(1.5, 1.5, 1.5)) == "1.50 s"


def test_verdicts_have_words():
    words = [Verdict("a", "1", "2", is_met).word for is_met in (True, False, None)]
    assert words == ["met", "missed", "not measurable"]


def test_the_page_holds_every_part_and_its_plots():
    part = Part("name", "A title", ["A note."], [Table("Rates", [["", "x"], ["a", "1"]])], charts=[CHART])
    part.verdicts = [Verdict("speed", "1", "2", False)]
    text = page([part], "bitblossom bench", MACHINE, has_plots=True)
    assert text.startswith("# Performance\n\nPrinted by `bitblossom bench`. 2026-01-31, a processor, 2 usable cores")
    for piece in (
        "| speed | 1 | 2 | missed |",
        "## A title",
        "A note.",
        "**Rates**\n\n|  | x |",
        "![Title](a-plot.svg)",
    ):
        assert piece in text
    assert "a-plot" not in page([part], "bitblossom bench", MACHINE, has_plots=False)


def test_tables_are_as_wide_as_their_header():
    lines = titled_table(verdict_table([Part("a", "b", verdicts=[Verdict("w", "x", "y", True)])])).splitlines()
    assert lines[0] == "**Figures and targets**"
    assert {line.count("|") for line in lines[2:]} == {5}


def test_libraries_that_are_missing_are_left_out():
    assert list(installed(["numpy", "no-such-package"])) == ["numpy"]


def test_the_floor_is_the_bytes_over_the_bandwidth():
    bandwidth = Run({}, [{"cache": 100e9, "memory": 10e9}])
    known = run_of(1_000_000, written={"planes": 2000, "mask": 160, "state": 840})
    unknown = run_of(1_000_000, written={"planes": 1000, "mask": 0})
    rows = floor_table({"ours": known, "theirs": unknown}, bandwidth).rows
    assert rows[1] == ["ours", "2,000", "160", "840", "30", "300", "1,000"]
    assert rows[2] == ["theirs", "1,000", "0", "?", "10", "100", "1,000"]


def test_ratios_are_judged_only_against_peers_that_are_there():
    runs = {peers.key(9, name): run_of(rate) for name, rate in ((peers.BATCH, 1600), (peers.AEC, 50))}
    runs |= {peers.key(9, peers.IN_PLACE): run_of(1000), peers.key(9, peers.WRAPPED): run_of(10)}
    found = {verdict.subject: verdict for verdict in peers.verdicts(runs, 9)}
    assert [verdict.is_met for verdict in found.values()] == [True, True, False]
    assert not any(peers.PGX in subject for subject in found)
    assert found["9x9, BatchEnv against OpenSpiel Go, in-place observer"].figure == "1.60x (1.60..1.60)"


def test_missing_peers_are_named():
    missing = peers.missing_peers()
    assert (peers.PGX in missing) == (find_spec("pgx") is None)
    assert (peers.IN_PLACE in missing) == (find_spec("pyspiel") is None)
    note = peers.how_measured({}, [peers.PGX])[-1]
    assert note == "Not installed, so left out: pgx Go. `pip install 'bitblossom[bench]'` brings them."


def test_growth_is_judged_by_its_power():
    linear = {side: 5.0 * side**2 for side in flat.SIDES}
    assert flat.exponent(linear) == pytest.approx(1)
    assert flat.growth_verdict("a", {side: 5.0 * side**2.2 for side in flat.SIDES}).is_met is False
    assert flat.growth_verdict("a", {side: 5.0 * side for side in flat.SIDES}).is_met is True


def test_a_history_that_costs_more_is_told():
    names = [f"walls/{turns}" for turns in flat.HISTORIES]
    flat_run = Run({"names": names}, [dict.fromkeys(names, 5000.0)])
    steep_run = Run({"names": names}, [{name: 100.0 * int(name.partition("/")[2]) for name in names}])
    assert flat.replay_verdict("walls", flat_run).is_met is True
    assert flat.replay_verdict("walls", steep_run).is_met is False
    assert flat.replay_chart(flat.replay_costs(flat_run)).lines["walls"][0] == (1.0, 5000.0)


def test_plots_are_equal_byte_for_byte(tmp_path):
    plots = pytest.importorskip(
        "training.benchmarks.plots", reason="matplotlib comes with an extra", exc_type=ImportError
    )
    assert plots.draw(CHART) == plots.draw(CHART)
    plots.write_charts(tmp_path / "new", [CHART])
    assert b"Title" in (tmp_path / "new" / "a-plot.svg").read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rounds", "0"], "rounds=0 is out of range; allowed: 1 or more"),
        (["--num_envs", "0"], "num_envs=0 is out of range; allowed: 1 or more"),
        (["--cold_starts", "-1"], "cold_starts=-1 is out of range; allowed: 0 or more"),
        (["--seconds", "0"], "seconds=0.0 is out of range; allowed: more than 0"),
        (["--seconds", ".nan"], "seconds=nan is out of range"),
        (["--seconds", ".inf"], "seconds=inf is out of range"),
        (["--only", "batch,speed"], "names no part 'speed'; allowed: a list such as batch,aec of cores, evaluation"),
        (["--only", ""], "names no part ''"),
        (["--markdown", "."], "file '.' is a folder"),
        (["--plots", __file__], "is a file; allowed: the path of a folder"),
    ],
)
def test_bad_arguments_are_one_line(words, message, capsys):
    assert main(["bench", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("bitblossom: ")
    assert message in error
    assert error.count("\n") == 1


def test_parts_are_asked_for_by_name():
    assert part_names(None, with_peers=False) == list(OWN_PARTS)
    assert part_names(None, with_peers=True) == [*OWN_PARTS, "peers"]
    assert part_names("flat,batch", with_peers=False) == ["batch", "flat"]
    assert part_names("flat", with_peers=True) == ["flat", "peers"]


def test_the_command_prints_and_writes(tmp_path, capsys):
    files = {name: tmp_path / name for name in ("page.md", "all.json")}
    words = ["--only", "memory", "--markdown", str(files["page.md"]), "--json", str(files["all.json"])]
    assert main(["bench", *words]) == 0
    printed = capsys.readouterr().out
    assert "Memory per game" in printed
    assert "Figures and targets" in printed
    assert "Printed by `bitblossom bench --only memory --rounds 5" in files["page.md"].read_text()
    content = json.loads(files["all.json"].read_text())
    assert content["version"] == 1
    (part,) = content["parts"]
    assert part["data"][BOARDS[0].label]["state"] < 8192
    assert [verdict["verdict"] for verdict in part["verdicts"]] == ["met"]


@pytest.mark.slow
def test_every_part_runs(tmp_path, capsys):
    words = ["--peers", "--rounds", "1", "--seconds", "0.05", "--num_envs", "32", "--cold_starts", "0"]
    assert main(["bench", *words, "--json", str(tmp_path / "all.json")]) == 0
    content = json.loads((tmp_path / "all.json").read_text())
    assert [part["name"] for part in content["parts"]] == [*OWN_PARTS, "peers"]
    assert capsys.readouterr().out.count("Where the time of a step goes") >= 2
