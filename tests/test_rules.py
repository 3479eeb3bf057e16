"""Rules of the house that no linter knows."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [path for room in ("puzzles", "operators", "solvers", "evo", "plots") for path in (ROOT / room).rglob("*.py")]


def test_randomness_only_comes_from_explicit_generators() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert "random" not in [name.name for name in node.names], path
            if isinstance(node, ast.ImportFrom):
                assert node.module not in ("random", "numpy.random"), path


def test_nothing_read_from_disk_is_unpickled() -> None:
    for path in SOURCES:
        text = path.read_text()
        if path.name != "code_cache.py":  # machine code, which numba serialises so, from the project's own cache
            assert "import pickle" not in text, path
        assert "allow_pickle=True" not in text, path


def test_every_folder_is_a_package_and_has_tests() -> None:
    for folder in {path.parent for path in SOURCES}:
        assert (folder / "__init__.py").exists(), folder
        assert list((ROOT / "tests" / folder.relative_to(ROOT)).rglob("test_*.py")), folder


def test_every_file_is_short() -> None:
    for path in SOURCES:
        assert len(path.read_text().splitlines()) <= 360, path
