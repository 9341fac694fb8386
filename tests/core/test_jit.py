"""The cache of compiled kernels follows their sources; nothing heavy is imported before a game is made."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from bitblossom_env.core import jit
from tests.core.tiny import PLAY, run, tiny_package

WAIT = """
import sys
sys.path.insert(0, sys.argv[1])
from tiny.core import jit
alone = jit.alone
def told(folder, name, say=None):
    print(name, flush=True)
    return alone(folder, name, say)
jit.alone = told
from tiny.core.jit import kernel_folder
from tiny.bitblossom.rule import answer
with alone(kernel_folder(), sys.argv[2], lambda: print("waiting", flush=True)):
    print(answer(20), answer(20.5), flush=True)
"""


def start(folder, lock, cache):
    """A process that works alone and compiles two forms of a kernel."""
    return subprocess.Popen(
        [sys.executable, "-c", WAIT, str(folder), lock],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )


def folder_of(tmp_path, cache):
    """The cache folder of the tiny package, made by a process that compiles nothing."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); from tiny.core.jit import kernel_folder as k; print(k())"
    return Path(run(code, str(tmp_path), NUMBA_CACHE_DIR=str(cache)))


@pytest.mark.skipif(jit.jit_is_off(), reason="nothing is compiled, so nothing is stored")
def test_processes_store_compiled_code_one_at_a_time(tmp_path):
    tiny_package(tmp_path)
    cache = tmp_path / "cache"
    folder = folder_of(tmp_path, cache)
    with jit.alone(folder, jit.SAVING_LOCK):
        process = start(tmp_path, "other.lock", cache)
        assert process.stdout.readline().strip() == jit.SAVING_LOCK, "it has compiled something and comes to store it"
        with pytest.raises(subprocess.TimeoutExpired):
            process.communicate(timeout=1)
        assert not list(folder.rglob("*.nb[ic]")), "it has stored something while another process was storing"
    *locks, first, second = process.communicate(timeout=60)[0].split()
    assert (set(locks), first, second) == ({jit.SAVING_LOCK}, "42", "43.0")
    assert len(list(folder.rglob("*answer*.nbc"))) == 2
    assert run(PLAY, str(tmp_path), NUMBA_CACHE_DIR=str(cache)) == "42"


@pytest.mark.skipif(jit.jit_is_off(), reason="nothing is compiled, so nothing is waited for")
def test_a_process_waits_and_says_so_while_another_compiles(tmp_path):
    tiny_package(tmp_path)
    cache = tmp_path / "cache"
    with jit.alone(folder_of(tmp_path, cache), jit.COMPILING_LOCK):
        process = start(tmp_path, jit.COMPILING_LOCK, cache)
        assert process.stdout.readline() == "waiting\n"
    assert process.communicate(timeout=60)[0].split()[-2:] == ["42", "43.0"]


@pytest.mark.slow
@pytest.mark.skipif(jit.jit_is_off(), reason="nothing is compiled, so nothing is waited for")
def test_two_processes_that_start_at_once_with_an_empty_cache(tmp_path):
    code = (
        "from bitblossom_env import bitblossom_v0 as b; e = b.env(); e.reset(seed=1); e.step(162); print(e.game.hash())"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    processes = [
        subprocess.Popen([sys.executable, "-c", code], stdout=-1, stderr=-1, text=True, env=environment)
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=300) for process in processes]
    assert len({output for output, _ in answers}) == 1
    assert sorted("compiled in" in said for _, said in answers) == [False, True]
    assert any("another process compiles" in said for _, said in answers)
    assert subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment
    ).stdout in {output for output, _ in answers}


def test_a_folder_that_another_process_has_pruned_is_made_again(tmp_path):
    with jit.alone(tmp_path / "gone" / "folder", jit.SAVING_LOCK):
        assert (tmp_path / "gone" / "folder" / jit.SAVING_LOCK).exists()


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


FOREIGN = [
    "my-16-characters",
    "0123456789abcdeg",
    "0123456789ABCDEF",
    "0123456789abcde",
    "0123456789abcdef0",
    "0123456789abcdef\n",
    "notes",
]


def test_pruning_leaves_what_is_no_cache_folder(tmp_path):
    for number, name in enumerate(FOREIGN):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kept").write_text("of others")
        os.utime(tmp_path / name, (number, number))
    (tmp_path / "fedcba9876543210").write_text("a file")
    names = [f"{i:016x}" for i in range(jit.NUM_KEPT_FOLDERS + 4)]
    for number, name in enumerate(names):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1000 + number, 1000 + number))
    jit.prune(tmp_path, keep=names[0])
    assert [name for name in FOREIGN if (tmp_path / name / "kept").exists()] == FOREIGN
    assert (tmp_path / "fedcba9876543210").exists()
    assert sorted(set(names) - {path.name for path in tmp_path.iterdir()}) == names[1:4]


def test_a_folder_that_cannot_be_made_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert not jit.cache_root().is_relative_to(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert jit.cache_root() == tmp_path / "cache" / "bitblossom-kernels"


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A place for temporary files where no other place for a cache can be written."""
    (tmp_path / "file").write_text("no folder")
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "file" / name))
    monkeypatch.setattr(jit, "PACKAGE", tmp_path / "installed" / "bitblossom_env")  # no checkout
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def is_private(folder):
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700 and status.st_uid == os.getuid()


def home_in(root, temporary):
    """The folder right below the place for temporary files in which a root lies."""
    return temporary / root.relative_to(temporary).parts[0]


def test_the_temporary_cache_is_private_and_found_again(temporary):
    previous = os.umask(0)
    try:
        root = jit.cache_root()
    finally:
        os.umask(previous)
    assert root.is_dir()
    assert is_private(home_in(root, temporary))
    assert jit.cache_root() == root


def make_open(folder):
    folder.mkdir()
    folder.chmod(0o777)


def make_link(folder):
    (folder.parent / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(folder.parent / "elsewhere")


def make_foreign(folder):
    folder.mkdir(mode=0o700)
    os.chown(folder, os.getuid() + 1, -1)


@pytest.mark.parametrize("make", [make_open, make_link, Path.touch, make_foreign])
def test_a_temporary_cache_laid_out_by_somebody_else_is_not_used(temporary, make):
    if make is make_foreign and os.getuid() != 0:
        pytest.skip("only root can give folders away")
    laid_out = home_in(jit.cache_root(), temporary)
    shutil.rmtree(laid_out)
    make(laid_out)
    root = jit.cache_root()
    assert home_in(root, temporary) not in {laid_out, temporary / "elsewhere"}
    assert is_private(home_in(root, temporary))
    assert root.is_dir()


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, bitblossom_env; from bitblossom_env import bitblossom_v0; print(*sys.modules)"
    loaded = set(run(code).split())
    assert "bitblossom_env.envs.aec" in loaded
    assert not loaded & {"numba", "torch", "pygame", "scipy", "matplotlib"}


def test_importing_the_agents_loads_no_torch():
    loaded = set(run("import sys, agents; agents.make('random'); print(*sys.modules)").split())
    assert "agents.random" in loaded
    assert "torch" not in loaded
