"""What all tests share."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A headless Chromium; skips the test where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("there is no chromium and chromedriver here")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    quiet = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *quiet):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield started
    started.quit()
