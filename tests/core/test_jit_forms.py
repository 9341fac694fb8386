"""Kernels made inside a function of other kernels: one form for each name, found again by any process."""

import pytest

from bitblossom_env.core import jit
from tests.core.tiny import run, tiny_package

pytestmark = pytest.mark.skipif(jit.jit_is_off(), reason="nothing is compiled, so nothing is stored")

FORMS = """
from ..core.jit import kernel, kernel_of

@kernel
def plus_one(x):
    return x + 1

@kernel
def plus_five(x):
    return x + 5

def make_twice(name, step):
    @kernel_of(name)
    def inner(x):
        return step(x)

    @kernel_of(name)
    def twice(x):
        return inner(x) + inner(x)
    return twice

one, five = make_twice("one", plus_one), make_twice("five", plus_five)
"""
PLAY = """
import sys
sys.path.insert(0, sys.argv[1])
from tiny.bitblossom import forms
print(*(getattr(forms, name)(20) for name in sys.argv[2:]))
"""


def test_forms_are_told_apart_and_compiled_once(tmp_path):
    tiny_package(tmp_path)
    (tmp_path / "tiny" / "bitblossom" / "forms.py").write_text(FORMS)
    cache = tmp_path / "cache"
    for names in (["one"], ["five"], ["five", "one"], ["one", "five"]):
        answers = {"one": "42", "five": "50"}
        assert run(PLAY, str(tmp_path), *names, NUMBA_CACHE_DIR=str(cache)).split() == [answers[name] for name in names]
    assert len(list(cache.rglob("*twice_one*.nbc"))) == len(list(cache.rglob("*twice_five*.nbc"))) == 1


def test_a_form_whose_parts_have_changed_is_compiled_anew(tmp_path):
    tiny_package(tmp_path)
    file = tmp_path / "tiny" / "bitblossom" / "forms.py"
    cache = str(tmp_path / "cache")
    file.write_text(FORMS)
    assert run(PLAY, str(tmp_path), "one", NUMBA_CACHE_DIR=cache) == "42"
    file.write_text(FORMS.replace("x + 1", "x + 3"))
    assert run(PLAY, str(tmp_path), "one", NUMBA_CACHE_DIR=cache) == "46"
