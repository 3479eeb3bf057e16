"""The documentation site: what is outside the pages agrees with the project."""

import re
from pathlib import Path

import evo

ROOT = Path(__file__).parents[1]


def test_the_citation_is_of_this_version() -> None:
    [version] = re.findall(r"(?m)^version: (.*)$", (ROOT / "CITATION.cff").read_text())
    assert version == evo.__version__


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"[\w/]+\.(?:md|ipynb)", (ROOT / "mkdocs.yml").read_text()))
    docs = ROOT / "docs"
    pages = {str(path.relative_to(docs)) for kind in ("*.md", "*.ipynb") for path in docs.rglob(kind)}
    assert listed == {page for page in pages if ".ipynb_checkpoints" not in page}


def test_the_status_says_what_is_missing_and_has_no_badges() -> None:
    page = (ROOT / "docs" / "index.md").read_text()
    assert "What is not, or not as it should be:" in page
    assert re.findall(r"shields\.io|badge\.svg", page) == []
