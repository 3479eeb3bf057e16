"""A user's own algorithms and operators in experiments: the same boards everywhere, and nothing imported unasked."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import evo
from evo.engine.deap_engine import DeapEngine
from evo.engine.evolution_search import evolve
from evo.engine.problem import make_problem
from evo.engine.toolbox import toolbox_of
from evo.errors import ConfigError, StoreError
from evo.experiments.driver import Unwatched
from evo.experiments.experiment import begin, work_off
from evo.experiments.plan import make_plan
from evo.experiments.store import Store
from evo.settings.base import make_search
from puzzles import generate, save
from tests.end_to_end.commands import evo as command
from tests.evo.laboratory import outcome
from tests.examples import example

SMALL = {"population": 30, "crossover": 20, "mutation": 9, "elite": 1, "evaluations": 600}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a puzzle and the files of docs/extending.md."""
    save(generate(6, 6, 3, 6, 1, hints=2)[0], tmp_path / "six.json")
    for name in ("my_search.py", "my_operators.py", "my_ga.toml", "my_hill.toml"):
        (tmp_path / name).write_text(example(name).read_text())
    return tmp_path


def experiment(folder: Path, out: str, jobs: int | None = None, **overrides: Any) -> dict[str, bytes]:
    sources = [str(folder / "my_ga.toml"), str(folder / "my_hill.toml")]
    puzzle = str(folder / "six.json")
    evo.run_experiment(sources, out=folder / out, jobs=jobs, puzzle=puzzle, runs=1, **overrides)
    return outcome(folder / out)


def test_they_run_here_and_in_worker_processes_alike(folder: Path) -> None:
    here = experiment(folder, "here")
    assert here == experiment(folder, "there", jobs=2)
    frame = evo.results(folder / "here")
    assert list(frame["setting"]) == ["my_ga", "my_ga", "my_hill"]
    assert list(frame["init"]) == ["random", "in_order", ""]
    assert list(frame["algorithm"]) == ["GA", "GA", "HILL"]


def test_they_run_on_a_dask_cluster(folder: Path) -> None:
    pytest.importorskip("distributed")
    plan = make_plan([str(folder / "my_ga.toml")], puzzle=str(folder / "six.json"), init="random", runs=1)
    for out, dask in (("here", None), ("dask", "local")):
        assert not work_off(begin(plan, folder / out), Unwatched(), jobs=None, dask=dask, trust=True)
    assert outcome(folder / "here") == outcome(folder / "dask")


@pytest.mark.parametrize("settings", [evo.GA, evo.MOEA])
def test_compiled_operators_give_the_same_boards_in_both_engines(folder: Path, settings: type[evo.GA]) -> None:
    puzzle = generate(6, 6, 3, 6, 1)[0]
    chosen = settings(**SMALL, mutate=f"{folder}/my_operators.py:swap_two_tiles")
    native = list(make_search(puzzle, chosen).reports())
    rng = np.random.default_rng(chosen.seed)
    deap = list(evolve(DeapEngine(toolbox_of(make_problem(puzzle, chosen), rng)), chosen))
    assert [one.mean for one in native] == [one.mean for one in deap]
    assert (native[-1].best_cells == deap[-1].best_cells).all()


@pytest.mark.parametrize("key", ["mate", "mutate"])
def test_plain_operators_run_in_the_deap_engine_and_resume_anywhere(folder: Path, key: str) -> None:
    name = {"mate": "better_half", "mutate": "plain_swap"}[key]
    (folder / "plain.py").write_text(example("my_operators.py").read_text() + "\nplain_swap = swap_two_tiles.py_func\n")
    puzzle = generate(6, 6, 3, 6, 1)[0]
    settings = evo.GA(**SMALL, **{key: f"{folder}/plain.py:{name}"})
    assert "a hundred times slower" in settings.notes()[0]
    whole = list(make_search(puzzle, settings).reports())
    for stop in (len(whole) // 2, len(whole) - 2):
        first = make_search(puzzle, settings)
        for made in first.reports():
            if made.evaluations == whole[stop].evaluations:
                break
        second = make_search(puzzle, settings, np.random.default_rng(5))
        second.restore(first.state())
        second.rng.bit_generator.state = first.rng.bit_generator.state
        last = list(second.reports())[-1]
        assert last[:2] == whole[-1][:2]
        assert last.mean == whole[-1].mean
        assert (last.best_cells == whole[-1].best_cells).all()


def test_only_the_content_at_the_start_counts(folder: Path) -> None:
    expected = experiment(folder, "unchanged")
    sources = [str(folder / "my_ga.toml"), str(folder / "my_hill.toml")]
    store = begin(make_plan(sources, puzzle=str(folder / "six.json"), runs=1), folder / "changed")
    for name in ("my_search.py", "my_operators.py"):
        (folder / name).write_text("raise RuntimeError\n")
    evo.resume_experiment(store.path, trust=True)
    assert outcome(store.path) == expected
    assert sorted(path.name[13:] for path in (store.path / "code").iterdir()) == ["my_operators.py", "my_search.py"]


def test_a_directory_from_somebody_else_imports_nothing_unless_trusted(folder: Path) -> None:
    marker = folder / "imported"
    evil = example("my_search.py").read_text() + f"\nopen({str(marker)!r}, 'a').close()\n"
    (folder / "my_search.py").write_text(evil)
    plan = make_plan([str(folder / "my_hill.toml")], puzzle=str(folder / "six.json"), evaluations=300)
    store = begin(plan, folder / "gift")
    marker.unlink()
    for words in ("status", "results", "resume", "report"):
        done = command(words, str(store.path))
        assert "Traceback" not in done.stderr
    assert "add --trust" in command("resume", str(store.path)).stderr
    with pytest.raises(StoreError, match=r"need the code in .*code; if you trust it, add --trust"):
        evo.resume_experiment(store.path)
    assert not marker.exists()
    assert command("resume", str(store.path), "--trust").returncode == 0
    assert marker.exists()


def test_code_that_was_changed_in_the_directory_is_refused(folder: Path) -> None:
    plan = make_plan([str(folder / "my_hill.toml")], puzzle=str(folder / "six.json"), evaluations=300)
    store = begin(plan, folder / "out")
    [path] = (store.path / "code").iterdir()
    path.write_text(path.read_text() + "\n")
    with pytest.raises(StoreError, match="is not the code with which the experiment was created"):
        evo.resume_experiment(store.path, trust=True)
    plan_file = store.path / "experiment.json"
    plan_file.write_text(plan_file.read_text().replace(path.name, "../../elsewhere.py"))
    with pytest.raises(StoreError, match="is not the plan of an experiment"):
        Store(store.path)


BROKEN = "def one(rng, board):\n    board[0, 0] = board[0, 1]\n\n\ndef two(rng, sides, board):\n    board[:] = 0\n"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mutate": "nowhere.py:f"}, "mutate: nowhere.py: cannot be read"),
        ({"mutate": "swap_two_tiles"}, "mutate: expected FILE.py:NAME; found 'swap_two_tiles'"),
        ({"mutate": "{here}/broken.py:three"}, "mutate: broken.py: does not define three"),
        ({"mutate": "{here}/broken.py:four"}, "mutate: four is not a function; found int"),
        ({"mutate": "{here}/wrong.py:f"}, "mutate: wrong.py, line 1: SyntaxError"),
        ({"mutate": "{here}/raises.py:f"}, "mutate: raises.py: ZeroDivisionError"),
        ({"init": "{here}/nowhere.py:f"}, "init: .*nowhere.py: cannot be read"),
        ({"init": "nonsense"}, "init: input should be 'random', 'knowledge' or 'search'"),
    ],
)
def test_code_that_cannot_be_used_is_named(folder: Path, changes: dict[str, str], message: str) -> None:
    (folder / "broken.py").write_text(BROKEN + "\n\nfour = 4\n")
    (folder / "wrong.py").write_text("def f(:\n")
    (folder / "raises.py").write_text("1 / 0\n")
    values = {key: value.replace("{here}", str(folder)) for key, value in changes.items()}
    with pytest.raises(ConfigError, match=message) as caught:
        make_search(generate(6, 6, 3, 6, 1)[0], evo.GA(**SMALL, **values))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("changes", [{"mutate": "broken.py:one"}, {"init": "broken.py:two"}])
def test_an_operator_that_breaks_boards_is_told_so(folder: Path, changes: dict[str, str]) -> None:
    (folder / "broken.py").write_text(BROKEN)
    values = {key: f"{folder}/{value}" for key, value in changes.items()}
    search = make_search(generate(6, 6, 3, 6, 1)[0], evo.GA(**SMALL, **values))
    with pytest.raises(evo.EvoError, match="an operator broke a board"):
        list(search.reports())
