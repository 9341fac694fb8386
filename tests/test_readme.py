"""The code in README and docs runs and prints what it says; their links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize(("page", "least"), [("README.md", 5), ("docs/aronda.md", 4)])
def test_the_examples_print_what_they_show(page, least):
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.attempted > least
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert all((page.parent / link).exists() for link in links), links


def test_every_page_is_linked_from_the_first():
    linked = {ROOT / link for link in re.findall(r"\]\(([^)#:]+)\)", PAGES[0].read_text())}
    assert set(PAGES[1:]) <= linked
