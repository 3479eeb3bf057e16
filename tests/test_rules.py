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
        assert "import pickle" not in text, path
        assert "allow_pickle=True" not in text, path


def test_every_room_is_installed_and_has_tests() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    for folder in {path.parent for path in SOURCES if path.name == "__init__.py"}:
        parts = folder.relative_to(ROOT).parts
        assert f'"{".".join(parts)}"' in project, folder
        tests = parts[0]
        assert list((ROOT / "tests" / tests).glob("test_*.py")), folder
