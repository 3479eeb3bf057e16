"""The notebooks of the documentation run, and what is stored is what they show."""

import re
from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="nbclient is not installed")
from tests import notebooks

ROOT = Path(__file__).parents[1]
PAGES = ["exact_and_evolutionary", "first_evolution", "hunting", "own_operator", "table2_row"]
MOST_BYTES = 600_000


def test_these_are_the_notebooks() -> None:
    assert notebooks.names() == PAGES


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.filterwarnings("default")  # those of the libraries that talk to the kernel
def test_a_notebook_shows_what_is_stored(name: str) -> None:
    before = notebooks.stored(name)
    after = notebooks.executed(before)
    for old, new in zip(before.cells, after.cells, strict=True):
        if old.cell_type == "code":
            assert notebooks.shown(new) == notebooks.shown(old), old.source


@pytest.mark.parametrize("name", PAGES)
def test_a_stored_notebook_can_be_published(name: str) -> None:
    path = notebooks.FOLDER / f"{name}.ipynb"
    text = path.read_text()
    assert len(text) < MOST_BYTES
    assert re.findall(r"/(?:home|root|tmp|usr|work|Users)/[\w.-]*|ipykernel_\d+", text) == []
    cells = [cell for cell in notebooks.stored(name).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert [output for output in outputs if output.get("name") == "stderr"] == []
    assert any(kind.startswith("image/") for output in outputs for kind in output.get("data", {}))


def test_links_between_notebooks_and_pages_lead_somewhere() -> None:
    for name in PAGES:
        for cell in notebooks.stored(name).cells:
            for link in re.findall(r"\]\(([^)#]+)\)", cell.source if cell.cell_type == "markdown" else ""):
                assert link.startswith("https://") or (notebooks.FOLDER / link).exists(), f"{name}: {link}"


def test_only_what_depends_on_speed_may_vary() -> None:
    """A tag that is not needed would hide a wrong number."""
    for name in PAGES:
        for cell in notebooks.stored(name).cells:
            if "varies" in cell.metadata.get("tags", []):
                assert re.search(r"solve\(|process_time|found\.", cell.source), f"{name}: {cell.source}"


def test_the_site_lists_every_notebook() -> None:
    listed = (ROOT / "mkdocs.yml").read_text()
    for name in PAGES:
        assert f"notebooks/{name}.ipynb" in listed
