"""The cache of compiled kernels follows their sources; nothing heavy is imported before a game is made."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bitblossom_env.core import jit

ROOT = Path(__file__).resolve().parents[2]

PLAY = """
import sys
sys.path.insert(0, sys.argv[1])
from tiny.bitblossom.rule import answer
print(answer(20))
"""


def run(code, *arguments, **environment):
    process = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


def tiny_package(folder):
    """A copy of core/jit.py with two kernel files; `answer` of one file calls `helper` of the other."""
    core, rules = folder / "tiny" / "core", folder / "tiny" / "bitblossom"
    for place in (core, rules):
        place.mkdir(parents=True)
        (place / "__init__.py").touch()
    (folder / "tiny" / "__init__.py").touch()
    shutil.copy(ROOT / "bitblossom_env" / "core" / "jit.py", core / "jit.py")
    (rules / "helper.py").write_text("from ..core.jit import kernel\n\n@kernel\ndef helper(x):\n    return x + 1\n")
    imports = "from ..core.jit import kernel\nfrom .helper import helper\n\n"
    (rules / "rule.py").write_text(imports + "@kernel\ndef answer(x):\n    return 2 * helper(x)\n")
    return rules / "helper.py"


@pytest.mark.skipif(jit.jit_is_off(), reason="nothing is compiled, so nothing can be stale")
def test_an_edit_in_another_kernel_file_is_seen(tmp_path):
    helper = tiny_package(tmp_path)
    cache = tmp_path / "cache"
    assert run(PLAY, str(tmp_path), NUMBA_CACHE_DIR=str(cache)) == "42"
    assert list(cache.rglob("*.nbi")), "the first run left compiled code in the cache"
    helper.write_text(helper.read_text().replace("x + 1", "x + 3"))
    assert run(PLAY, str(tmp_path), NUMBA_CACHE_DIR=str(cache)) == "46"


def test_the_folder_name_depends_on_every_source(tmp_path):
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("1")
    second.write_text("2")
    name = jit.cache_name([first, second])
    assert name == jit.cache_name([first, second])
    second.write_text("3")
    assert name != jit.cache_name([first, second])


def test_old_folders_are_pruned_and_the_current_one_stays(tmp_path):
    names = [f"{i:016x}" for i in range(jit.NUM_KEPT_FOLDERS + 4)]
    for age, name in enumerate(names):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    jit.prune(tmp_path, keep=names[-1])
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*names[: jit.NUM_KEPT_FOLDERS], names[-1]}


def test_a_folder_that_cannot_be_made_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert jit.cache_root() != tmp_path / "file" / "cache"


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, bitblossom_env; from bitblossom_env import bitblossom_v0; print(*sys.modules)"
    loaded = set(run(code).split())
    assert "bitblossom_env.envs.aec" in loaded
    assert not loaded & {"numba", "torch", "pygame", "scipy", "matplotlib"}


def test_importing_the_agents_loads_no_torch():
    loaded = set(run("import sys, agents; agents.make('random'); print(*sys.modules)").split())
    assert "agents.random" in loaded
    assert "torch" not in loaded
