"""A package of two kernel files, to be compiled in processes of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
