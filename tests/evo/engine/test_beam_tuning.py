"""Evolving a beam's key."""

import numpy as np
import pytest

from evo.engine.beam_tuning import GENES, Genome, scores_of, tune_beam
from evo.settings.construction import KeySettings
from puzzles import Board, Puzzle, generate
from solvers.construct.beam import Beam, BeamOptions
from tests.end_to_end.commands import evo


def test_a_genome_of_zeros_is_the_default_and_others_are_multiples_of_it() -> None:
    default = KeySettings()
    assert Genome([0.0] * len(GENES)).key == default
    doubled = Genome([np.log(2)] * len(GENES)).key
    for name in GENES:
        assert getattr(doubled, name) == pytest.approx(2 * getattr(default, name))
    assert Genome([-9.0] * len(GENES)).key.exponent == 1  # below which it means something else
    assert Genome([1e6] * len(GENES)).key.noise == 100


def test_scores_are_those_of_boards_built_one_by_one(eternity2: Puzzle) -> None:
    key = KeySettings(noise=0.5)
    scores = scores_of(eternity2, key, 20, [5, 6, 5])
    beam = Beam(eternity2, options=BeamOptions(width=20, noise=0.5))
    expected = [Board(eternity2, beam.construct(np.random.default_rng(seed)).cells).score for seed in (5, 6)]
    assert scores.tolist() == [*expected, expected[0]]


def test_the_same_generator_gives_the_same_evolution_and_leaves_numpys_alone() -> None:
    puzzle = generate(6, 6, 3, 6, 1)[0]
    np.random.seed(1)  # noqa: NPY002 - to see that nobody uses it
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    one, other = ([*tune_beam(puzzle, np.random.default_rng(4), width=8, budget=300)] for _ in range(2))
    assert one == other
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    assert [now.boards for now in one] == [72, 144, 216, 288]
    assert len([*tune_beam(puzzle, np.random.default_rng(4), width=8, budget=1)]) == 1


def test_it_mends_a_key_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a start where noise drowns everything, evolution finds its way down."""
    puzzle = generate(10, 10, 4, 12, 1)[0]
    seeds = [*range(100, 112)]
    wrong = KeySettings(noise=8.0)
    monkeypatch.setattr("evo.engine.beam_tuning.KeySettings", lambda **values: KeySettings(**{"noise": 8.0} | values))
    *_, last = tune_beam(puzzle, np.random.default_rng(1), width=8, budget=720)
    assert last.key.noise < 4
    assert scores_of(puzzle, last.key, 8, seeds).mean() > scores_of(puzzle, wrong, 8, seeds).mean() + 15


def test_the_command_writes_settings_that_run_with_their_judgement(tmp_path) -> None:
    from puzzles import save

    save(generate(5, 5, 3, 5, 1)[0], tmp_path / "five.json")
    done = evo("tune", "beam", "five.json", "--budget", "150", "--width", "4", "-o", "mine.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "mine.toml").read_text()
    assert "`evo tune beam five.json --budget 150 --width 4 --seed 1`" in text
    for line in done.stdout.splitlines()[:3]:
        assert f"# {line}" in text
    assert "generation 2: " in done.stderr
    ran = evo("run", "mine.toml", "--puzzle", "five.json", "--evaluations", "3", "--out", "out", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    again = evo("tune", "beam", "five.json", "-o", "mine.toml", cwd=tmp_path)
    assert again.returncode == 2
    assert "mine.toml: already exists" in again.stderr
