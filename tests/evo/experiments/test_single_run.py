"""Whole runs: the same everywhere, and the same as when the baselines were written."""

import hashlib
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from evo.engine.native_engine import NativeEngine
from evo.engine.problem import make_problem
from evo.experiments.single_run import run
from evo.settings.registry import make_settings
from puzzles import EMPTY, Board, Puzzle, load

GA = {"algorithm": "GA", "population": 200, "crossover": 150, "mutation": 48, "elite": 2}
ROWS = {
    "RAND": {"algorithm": "RAND", "evaluations": 3000},
    "ES": {"algorithm": "ES", "evaluations": 3000},
    "GA normal random": GA | {"evaluations": 20_000},
    "GA combined knowledge": GA | {"fitness": "combined", "init": "knowledge", "evaluations": 20_000},
    "AIEA normal knowledge": {"algorithm": "AIEA", "population": 200, "init": "knowledge", "evaluations": 20_000},
    "AIEA combined random": {"algorithm": "AIEA", "population": 200, "fitness": "combined", "evaluations": 20_000},
    "MOEA random": GA | {"algorithm": "MOEA", "evaluations": 20_000},
    "MOEA knowledge": GA | {"algorithm": "MOEA", "init": "knowledge", "evaluations": 20_000},
}
# The best score, and a fingerprint of the board that has it. When a change of an algorithm is meant to change these,
# run `python -m tests.evo.experiments.test_single_run` and say so in the changelog.
BASELINES = {
    "RAND": (36, "8a6ae733de86"),
    "ES": (343, "ac1dbb84777c"),
    "GA normal random": (126, "8eac8fbab843"),
    "GA combined knowledge": (339, "b7c61860af94"),
    "AIEA normal knowledge": (337, "463ff82e300f"),
    "AIEA combined random": (90, "40b482c97ccc"),
    "MOEA random": (86, "907770ee4bf0"),
    "MOEA knowledge": (335, "cf91e6d93a63"),
}


def fingerprint(name: str) -> tuple[int, str]:
    *_, last = run(load("eternity2"), make_settings(ROWS[name]))
    return last.best_score, hashlib.sha256(last.best_cells.tobytes()).hexdigest()[:12]


@pytest.mark.parametrize("name", ROWS)
def test_runs_are_the_committed_ones(name: str) -> None:
    assert fingerprint(name) == BASELINES[name]
    assert make_settings(ROWS[name] | {"edges": "all"}) == make_settings(ROWS[name])


def test_another_process_breeds_the_same_boards() -> None:
    program = "from tests.evo.experiments.test_single_run import fingerprint; print(fingerprint('MOEA random'))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=600)
    assert done.stdout.strip() == str(fingerprint("MOEA random"))


@pytest.mark.parametrize("name", ROWS)
def test_progress_tells_the_truth(name: str, eternity2: Puzzle) -> None:
    before = None
    for progress in run(eternity2, make_settings(ROWS[name] | {"seed": 5})):
        assert Board(eternity2, progress.best_cells).score == progress.best_score
        assert Board(eternity2, progress.best_cells).verify().duplicates == ()
        assert progress.worst <= progress.mean <= progress.best_score
        if before is not None:
            assert progress.evaluations > before.evaluations
            assert progress.best_score >= before.best_score
        before = progress
    assert before.evaluations <= ROWS[name]["evaluations"]
    assert (before.best_cells != EMPTY).all() == (name != "ES")  # exhaustive search leaves blanks


def test_seeds_matter_and_a_generator_can_be_given(eternity2: Puzzle) -> None:
    settings = make_settings(ROWS["GA normal random"])
    last = [list(run(eternity2, settings, rng=np.random.default_rng(seed)))[-1] for seed in (1, 1, 2)]
    assert (last[0].best_cells == last[1].best_cells).all()
    assert (last[0].best_cells != last[2].best_cells).any()
    assert (last[0].best_cells == list(run(eternity2, settings))[-1].best_cells).all()


def test_pinned_hints_stay_where_they_belong(eternity2: Puzzle) -> None:
    for name in ("GA combined knowledge", "AIEA combined random", "MOEA random"):
        *_, last = run(eternity2, make_settings(ROWS[name] | {"pins": "all"}))
        assert Board(eternity2, last.best_cells).verify().hints_honoured == 5
    *_, last = run(eternity2, make_settings(ROWS["ES"]))
    assert Board(eternity2, last.best_cells).verify().hints_honoured >= 1


def test_the_engine_releases_the_lock_of_python(eternity2: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one compiled call runs in a thread, this one gets its turns, so that progress and Ctrl-C work."""
    monkeypatch.setattr("evo.engine.native_engine.CHUNK", 10**9)  # a generation in one call
    shares = {"population": 100_000, "crossover": 99_999, "mutation": 0, "elite": 1}
    engine = NativeEngine(
        make_problem(eternity2, make_settings({"algorithm": "GA", **shares})), np.random.default_rng(1)
    )
    engine.initialise()
    engine.cross(10, engine.population.fitness)  # compiled by now
    worker = threading.Thread(target=engine.cross, args=(99_000, engine.population.fitness))
    turns, start = 0, time.perf_counter()
    worker.start()
    while worker.is_alive():
        time.sleep(0.001)
        turns += 1
    milliseconds = 1000 * (time.perf_counter() - start)
    worker.join()
    assert turns > milliseconds / 10


def test_compiled_calls_are_short_whatever_the_settings(eternity2: Puzzle) -> None:
    values = {"algorithm": "AIEA", "population": 10, "fewest_mutations": 1000, "most_mutations": 1000}
    engine = NativeEngine(make_problem(eternity2, make_settings(values)), np.random.default_rng(1))
    engine.initialise()
    calls = []
    kernel = engine._by_cloning
    engine._by_cloning = lambda *arguments: (calls.append(arguments[8]), kernel(*arguments))[1]
    engine.clone(120)
    assert calls == [50, 50, 20]


if __name__ == "__main__":
    for row in ROWS:
        print(f'    "{row}": {fingerprint(row)!r},')
