"""`import evo` is enough: names, typed settings, results."""

import subprocess
import sys
from pathlib import Path

import pytest

import evo
from evo.errors import ConfigError
from puzzles import generate


def test_every_name_is_there_and_written_once() -> None:
    assert set(evo.__all__) <= set(dir(evo))
    for name in evo.__all__:
        assert getattr(evo, name) is not None, name
    text = Path(evo.__file__).read_text()
    for name in set(evo.__all__) - {"__version__"}:
        assert text.count(f" import {name} as {name}\n") == 1, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        evo.nothing  # noqa: B018 - the access is the test


def test_the_import_loads_nothing_heavy() -> None:
    program = (
        "import sys, evo; print([name for name in ('numba', 'pandas', 'deap', 'pydantic') if name in sys.modules])"
    )
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert outcome.stdout == "[]\n"


def test_the_settings_of_every_algorithm_are_exported() -> None:
    for name, kind in evo.algorithms().items():
        assert getattr(evo, name) is kind


def test_type_checkers_know_names_and_arguments(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text(
        "import evo\n"
        "settings = evo.GA(population=100, crossover=80, mutation=19, elite=1, evaluations=1_000)\n"
        "result: evo.Result = evo.run('eternity2', settings).result()\n"
        "score: int = evo.solve('eternity2', seconds=1.0).score\n"
    )
    (tmp_path / "wrong.py").write_text("import evo\nevo.GA(populaton=100)\nevo.nothing\n")
    arguments = ["--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache")]
    right, wrong = (
        subprocess.run(
            [sys.executable, "-m", "mypy", *arguments, str(tmp_path / name)],
            capture_output=True,
            text=True,
            check=False,
        )
        for name in ("right.py", "wrong.py")
    )
    assert "Success" in right.stdout, right.stdout
    assert 'Unexpected keyword argument "populaton"' in wrong.stdout
    assert 'Module has no attribute "nothing"' in wrong.stdout


def test_a_wrong_argument_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match=r"^population: 100 is not crossover \+ mutation \+ elite"):
        evo.GA(population=100)
    with pytest.raises(ConfigError, match="seed: input should be greater than or equal to 0; found -1"):
        evo.RAND(seed=-1)
    with pytest.raises(ConfigError, match="moves: input should be greater than or equal to 1; found 0"):
        evo.RepairSettings(moves=0)
    assert evo.GA(mutation_sizes=[1, 5]).mutation_sizes == (1, 5)


def test_a_run_is_an_iterator_with_a_result() -> None:
    puzzle = generate(6, 6, 3, 6, 1)[0]
    settings = evo.RAND(evaluations=2_000)
    run = evo.run(puzzle, settings)
    first = next(run)
    assert (first.evaluations, first.board.score) == (1, first.best_score)
    so_far = run.result_so_far()
    assert (so_far.evaluations, so_far.score) == (1, first.best_score)
    result = run.result()
    assert result.evaluations == 2_000 == result.trace["evaluations"].iloc[-1]
    assert result.score == result.board.score == result.trace["best"].max()
    assert result.settings is settings
    assert result.trace["evaluations"].iloc[0] == 1
    assert result.trace["seconds"].is_monotonic_increasing
    assert "<svg" in result._repr_html_()
    assert repr(result).startswith(f"<Result RAND: {result.score} of 60, 2,000 evaluations")


def test_solve_gives_a_result_and_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = evo.solve(generate(5, 5, 3, 5, 1)[0], seconds=3)
    assert result.score == result.board.puzzle.max_score == 40
    assert list(tmp_path.iterdir()) == []
    kept = evo.solve("eternity2", seconds=1, out=tmp_path / "kept")
    assert kept.board.verify().valid
    assert 400 < kept.score == kept.trace["best"].max()
    assert evo.results(tmp_path / "kept")["best_score"].max() == kept.score
    for wrong in ({"seconds": 0}, {"hints": "some"}, {"jobs": 0}):
        with pytest.raises(ConfigError, match=f"^{next(iter(wrong))}: "):
            evo.solve("eternity2", **wrong)


def test_an_experiment_gives_a_result(tmp_path: Path) -> None:
    settings = evo.AIEA(population=50, evaluations=500, seed=3)
    result = evo.run_experiment([settings, "RAND"], evaluations=500, out=tmp_path / "out", runs=2, seed=3)
    assert result.directory == tmp_path / "out"
    assert list(result.runs["setting"]) == ["AIEA", "RAND", "AIEA", "RAND"]
    assert result.score == result.board.score == result.runs["best_score"].max()
    assert set(result.trace["setting"]) == {"AIEA", "RAND"}
    assert set(result.fronts["setting"]) == {"AIEA"}
    assert result.settings["AIEA random normal"]["population"] == 50
    html = result._repr_html_()
    assert "<table" in html
    assert "<svg" in html
    assert repr(result) == f"<ExperimentResult AIEA+RAND: 4 of 4 runs done, best score {result.score}>"
