"""What the tests of commands share."""

from pathlib import Path

import pytest

from evo.experiments.experiment import run_experiment
from tests.evo.laboratory import small_suite


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small experiment that is done; not to be changed."""
    folder = tmp_path_factory.mktemp("finished")
    run_experiment(small_suite(folder, 20_000, runs=4), out=folder / "out")
    return folder / "out"
