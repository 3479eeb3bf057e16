"""What holds for every algorithm of the registry, and for one that a test adds."""

import itertools
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from evo.errors import ConfigError, EvoError
from evo.settings import registry, user_code
from evo.settings.base import RunSettings, make_search
from evo.settings.registry import make_settings, own_algorithms, plain_values
from puzzles import Puzzle, generate
from puzzles.pencil import PencilTask
from puzzles.protocols import AnyPuzzle
from solvers import Progress, State
from tests.examples import example

TOY = registry.settings_class(user_code.pinned(str(example("my_search.py")) + ":HILL"))
ALGORITHMS = [*own_algorithms().values(), TOY]
SUDOKU = PencilTask.load("3............2..")
TINY = [(f"{one.algorithm}-{k}", one) for kind in ALGORITHMS for k, one in enumerate(kind.tiny())]


@pytest.fixture
def puzzle(tiny: RunSettings) -> AnyPuzzle:
    tiles = generate(6, 5, 3, 6, 1, hints=3)[0]
    return tiles if tiny.solves(tiles) else SUDOKU


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tiny" in metafunc.fixturenames:
        metafunc.parametrize("tiny", [one for _, one in TINY], ids=[name for name, _ in TINY])


def essence(progress: Progress) -> tuple[object, ...]:
    return *progress[:2], progress.best_cells.tobytes(), *progress[3:5]


def reports(puzzle: AnyPuzzle, settings: RunSettings) -> list[tuple[object, ...]]:
    return [essence(progress) for progress in make_search(puzzle, settings).reports()]


def continued(puzzle: AnyPuzzle, settings: RunSettings, state: State) -> list[tuple[object, ...]]:
    search = make_search(puzzle, settings)
    search.restore(state)
    return [essence(progress) for progress in search.reports()]


def test_the_same_seed_gives_the_same_reports_and_another_another_board(puzzle: AnyPuzzle, tiny: RunSettings) -> None:
    once = reports(puzzle, tiny)
    assert once == reports(puzzle, tiny)
    others = [reports(puzzle, tiny.model_copy(update={"seed": seed}))[-1][2] for seed in (2, 3, 4)]
    assert any(board != once[-1][2] for board in others) or tiny.algorithm == "PENCIL_EXACT"  # nothing is random there


def test_a_search_resumes_at_every_report(puzzle: AnyPuzzle, tiny: RunSettings) -> None:
    whole = reports(puzzle, tiny)
    for stop in range(1, len(whole) + 1):
        first = make_search(puzzle, tiny)
        made = [essence(one) for one in itertools.islice(first.reports(), stop)]
        second = make_search(puzzle, tiny, np.random.default_rng(999))
        second.restore(first.state())
        second.rng.bit_generator.state = first.rng.bit_generator.state
        done = made[-1][0]
        assert made + [one for one in map(essence, second.reports()) if one[0] > done] == whole, stop


def test_a_damaged_state_is_refused(puzzle: AnyPuzzle, tiny: RunSettings) -> None:
    search = make_search(puzzle, tiny)
    for _ in itertools.islice(search.reports(), 6):  # deep enough for a search that lays one tile after another
        pass
    state = search.state()
    for name, array in state.items():
        damaged = [
            {key: value for key, value in state.items() if key != name},
            state | {name: array[..., np.newaxis]},
            state | {name: array.astype(np.float32)},
            state | {name + "2": array},
        ]
        if array.dtype == np.uint16 and array.size:
            damaged.append(state | {name: np.full_like(array, 65_000)})  # tiles that do not exist
            damaged.append(state | {name: np.zeros_like(array)})  # one tile everywhere
        for one in damaged[:4]:
            with pytest.raises(EvoError):
                make_search(puzzle, tiny).restore(one)
        for one in damaged[4:]:  # refused, unless it is a part of the array that the search does not use yet
            with suppress(EvoError):
                assert continued(puzzle, tiny, one) == continued(puzzle, tiny, state), name


def test_the_budget_is_spent_and_not_exceeded(puzzle: AnyPuzzle, tiny: RunSettings) -> None:
    found = list(make_search(puzzle, tiny).reports())
    counts = [progress.evaluations for progress in found]
    assert counts[0] == 1
    assert counts == sorted(counts)
    assert 1 < counts[-1] <= tiny.evaluations
    scores = [progress.best_score for progress in found]
    assert scores == sorted(scores)
    assert found[-1].board.score == scores[-1]


def test_pins_are_honoured(puzzle: AnyPuzzle, tiny: RunSettings) -> None:
    if tiny.algorithm == "HILL" or not isinstance(puzzle, Puzzle):
        pytest.skip("the toy has no pins, and clues are not optional")
    for progress in make_search(puzzle, tiny.model_copy(update={"pins": "all"})).reports():
        for hint in puzzle.hints:
            assert progress.best_cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation
    bare = generate(4, 4, 3, 4, 1)[0]
    with pytest.raises(ConfigError, match="no hints to pin"):
        make_search(bare, tiny.model_copy(update={"pins": "all"}))


def test_settings_survive_the_way_through_plain_values(tiny: RunSettings) -> None:
    if tiny.algorithm != "HILL":
        assert make_settings(plain_values(tiny)) == tiny


_NOTHING_COMPILED = """
import gc, itertools, sys
from numba.core.dispatcher import Dispatcher
from evo.experiments.warmup import run_through
from evo.settings.base import make_search
from evo.settings.registry import own_algorithms
from puzzles import generate
from puzzles.pencil import PencilTask

def compiled():
    found = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.py_func.__qualname__, str(signature)) for one in found for signature in one.overloads}

kind = own_algorithms()[sys.argv[1]]
puzzle = generate(6, 5, 3, 6, 1, hints=3)[0]
puzzle = puzzle if kind.solves(puzzle) else PencilTask.load("3............2..")
for tiny in kind.tiny():
    run_through(puzzle, tiny)
before = compiled()
optional = [name for name in kind.model_fields if name != "pins" or not isinstance(puzzle, PencilTask)]
varied = {name: values for name, values in {VARIED}.items() if name in optional}
for values in itertools.product(*varied.values()):
    search = make_search(puzzle, kind(**dict(zip(varied, values))))
    for report in itertools.islice(search.reports(), 12):
        pass
    search.restore(search.state())
print(*sorted(compiled() - before), sep="\\n")
"""


@pytest.mark.parametrize("name", own_algorithms())
def test_tiny_settings_compile_everything(name: str) -> None:
    varied = {"init": ["random", "knowledge"], "fitness": ["normal", "combined"], "pins": ["none", "all"]}
    program = _NOTHING_COMPILED.replace("{VARIED}", repr(varied))
    outcome = subprocess.run([sys.executable, "-c", program, name], capture_output=True, text=True, check=True)
    assert outcome.stdout.split() == []


def test_classes_and_files_are_discovered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"GA", "AIEA", "MOEA", "RAND", "ES", "VLNS", "TABU", "BEAM", "BACKTRACK"} <= set(own_algorithms())
    assert all(name == kind.__name__ for name, kind in own_algorithms().items())


def test_an_installed_package_adds_an_algorithm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_package.py").write_text(example("my_search.py").read_text())
    about = tmp_path / "toy_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[evo.algorithms]\nHILL = toy_package:HILL\nLOST = toy_package:LOST\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._installed.cache_clear()
    try:
        assert make_settings({"algorithm": "HILL", "chunk": 7}).chunk == 7
        assert "HILL" in registry.algorithm_names()
        with pytest.raises(ConfigError, match=r"algorithm: LOST \(toy_package:LOST\) cannot be loaded"):
            make_settings({"algorithm": "LOST"})
    finally:
        registry._installed.cache_clear()


@pytest.mark.parametrize(
    ("algorithm", "message"),
    [
        ("HLIL", "algorithm: 'HLIL' is not one of .*GA.*, nor FILE.py:CLASS"),
        ("MOEAA", "did you mean MOEA"),
        ("nowhere.py:HILL", "algorithm: nowhere.py: cannot be read"),
        ("{my_search}:NOTHING", "algorithm: my_search.py: does not define NOTHING"),
        ("{my_search}:HillClimber", "algorithm: HillClimber is not a subclass of evo.RunSettings"),
        ("{my_search}:HILL@" + 64 * "0", "my_search.py: the code with the SHA-256 000000000000... is not available"),
    ],
)
def test_an_algorithm_that_cannot_be_had_is_named(algorithm: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        make_settings({"algorithm": algorithm.replace("{my_search}", str(example("my_search.py")))})
    assert "\n" not in str(caught.value)
