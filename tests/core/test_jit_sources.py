"""An edit in any file that a kernel may call is seen: no stale rule is ever played."""

import re

import pytest

from bitblossom_env.core import jit
from tests.core.tiny import PLAY, run, tiny_package

pytestmark = pytest.mark.skipif(jit.jit_is_off(), reason="nothing is compiled, so nothing can be stale")


def test_an_edit_in_another_kernel_file_is_seen(tmp_path):
    helper = tiny_package(tmp_path)
    cache = tmp_path / "cache"
    (cache / "of-others").mkdir(parents=True)
    assert run(PLAY, str(tmp_path), NUMBA_CACHE_DIR=str(cache)) == "42"
    assert {path.name for path in cache.iterdir()} == {"bitblossom-kernels", "of-others"}
    (compiled,) = (cache / "bitblossom-kernels").iterdir()
    assert re.fullmatch("[0-9a-f]{16}", compiled.name)
    assert list(compiled.rglob("*.nbi")), "the first run left compiled code in the cache"
    helper.write_text(helper.read_text().replace("x + 1", "x + 3"))
    assert run(PLAY, str(tmp_path), NUMBA_CACHE_DIR=str(cache)) == "46"
    assert len(list((cache / "bitblossom-kernels").iterdir())) == 2


OUTSIDE = """
import sys
sys.path.insert(0, sys.argv[1])
from players.search.tree import answer
print(answer(20))
"""


def test_an_edit_in_another_folder_of_a_package_outside_is_seen(tmp_path):
    tiny_package(tmp_path)
    for place in ("players", "players/search", "players/sieges"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "__init__.py").touch()
    wall = tmp_path / "players" / "sieges" / "wall.py"
    wall.write_text("from tiny.core.jit import kernel\n\n@kernel\ndef need(x):\n    return x + 1\n")
    imports = "from tiny.core.jit import kernel\nfrom ..sieges.wall import need\n\n"
    (tmp_path / "players" / "search" / "tree.py").write_text(
        imports + "@kernel\ndef answer(x):\n    return 2 * need(x)\n"
    )
    cache = str(tmp_path / "cache")
    assert run(OUTSIDE, str(tmp_path), NUMBA_CACHE_DIR=cache) == "42"
    wall.write_text(wall.read_text().replace("x + 1", "x + 3"))
    assert run(OUTSIDE, str(tmp_path), NUMBA_CACHE_DIR=cache) == "46"
