"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import puzzles

settings.register_profile(
    "project", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")


@pytest.fixture(scope="session")
def eternity2() -> puzzles.Puzzle:
    return puzzles.load("eternity2")


@pytest.fixture(scope="session")
def record() -> puzzles.Board:
    return puzzles.bundled_board("blackwood470")


@pytest.fixture(scope="session")
def instances() -> Path:
    """Real instances and boards, which the project does not contain: skips the test when they are not there."""
    folder = Path(os.environ.get("EVO_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no instances in {folder}; set EVO_TEST_DATA to a folder that has them")
    return folder
