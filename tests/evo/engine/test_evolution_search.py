"""EvolutionSearch as a search: what it tells, and that it can be put down and taken up again."""

import numpy as np
import pytest

from evo.engine.evolution_search import EvolutionSearch
from evo.engine.problem import make_problem
from evo.settings.base import make_search
from evo.settings.registry import make_settings
from operators import differing_cells
from puzzles import Puzzle, generate
from solvers import SolverError

SHARES = {"population": 40, "crossover": 24, "mutation": 13, "elite": 3}
SMALL = {
    "GA": {"algorithm": "GA", **SHARES},
    "MOEA": {"algorithm": "MOEA", "init": "knowledge", **SHARES},
    "AIEA": {"algorithm": "AIEA", "population": 40, "fitness": "combined"},
}


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(5, 6, 3, 4, 1, hints=2)[0]


def search(puzzle: Puzzle, name: str, seed: int, **more: object) -> EvolutionSearch:
    evaluations = 45_000 if name == "AIEA" else 2_000
    return make_search(puzzle, make_settings(SMALL[name] | {"evaluations": evaluations, "seed": seed} | more))


@pytest.mark.parametrize("pins", ["none", "all"])
@pytest.mark.parametrize("name", SMALL)
def test_it_goes_on_from_where_another_stood(puzzle: Puzzle, name: str, pins: str) -> None:
    whole = list(search(puzzle, name, 5, pins=pins).reports())
    for stop in (1, 2, 4, 12):
        first, second = search(puzzle, name, 5, pins=pins), search(puzzle, name, 6, pins=pins)
        loop = first.reports()
        before = [next(loop) for _ in range(stop)]
        second.restore(first.state())
        second.rng.bit_generator.state = first.rng.bit_generator.state
        after = [report for report in second.reports() if report.evaluations > before[-1].evaluations]
        assert len(before) + len(after) == len(whole) > 13
        for one, other in zip(before + after, whole, strict=True):
            assert one._replace(best_cells=None) == other._replace(best_cells=None)
            assert (one.best_cells == other.best_cells).all()


def test_the_initial_population_is_reported_as_it_comes_about(puzzle: Puzzle) -> None:
    for name in SMALL:
        evolution = search(puzzle, name, 1)
        loop = evolution.reports()
        found = [next(loop)]
        boards = evolution._engine.population.cells[:, :-1].copy()
        scores = evolution._engine.population.objectives[:, 0].copy()
        while found[-1].evaluations < 40:
            found.append(next(loop))
        leaders = [k for k in range(39) if all(scores[k] > scores[:k])]
        assert [report.evaluations for report in found] == [*(k + 1 for k in leaders), 40]
        assert leaders[0] == 0
        for report in found:
            sofar = scores[: report.evaluations]
            assert (report.best_score, report.worst) == (sofar.max(), sofar.min())
            assert report.mean == pytest.approx(sofar.mean())
            assert report.best_cells.ravel().tolist() == boards[sofar.argmax()].tolist()


def test_a_state_that_cannot_be_is_refused(puzzle: Puzzle) -> None:
    evolution = search(puzzle, "GA", 1, pins="all")
    next(evolution.reports())
    good = evolution.state()
    twice, moved, beyond = (good["cells"].copy() for _ in range(3))
    twice[7, 3] = twice[7, 4]
    hint = puzzle.hints[0]
    cell = hint.row * puzzle.cols + hint.col
    other = (cell + 1) % puzzle.size
    moved[7, [cell, other]] = moved[7, [other, cell]]
    beyond[0, 0] = 60_000
    for cells in (twice, moved, beyond):
        with pytest.raises(SolverError, match="every tile exactly once"):
            evolution.restore(good | {"cells": cells})
    with pytest.raises(SolverError, match="cells is int64"):
        evolution.restore(good | {"cells": twice.astype(np.int64)})
    evolution.restore(good)


def test_diversity_is_the_share_of_differing_cells_over_all_pairs() -> None:
    rng = np.random.default_rng(3)
    for individuals, places, values in ((2, 1, 2), (7, 5, 3), (20, 30, 120)):
        cells = rng.integers(0, values, (individuals, places)).astype(np.uint16)
        pairs = [(a != b).mean() for k, a in enumerate(cells) for b in cells[:k]]
        assert differing_cells(cells, values) == pytest.approx(np.mean(pairs), abs=1e-12)
    assert differing_cells(cells[:1], values) == 0


def test_diversity_falls_as_a_population_converges(puzzle: Puzzle) -> None:
    evolution = search(puzzle, "GA", 1)
    loop = evolution.reports()
    next(loop)
    start = evolution.diversity(2000)
    list(loop)
    assert 0.9 < start < 1
    assert evolution.diversity(2000) < start / 2


def test_the_front_is_what_nothing_dominates(puzzle: Puzzle) -> None:
    problem = make_problem(puzzle, make_settings(SMALL["MOEA"]))
    evolution = EvolutionSearch(problem, np.random.default_rng(2))
    next(evolution.reports())
    points = evolution._engine.population.objectives.tolist()
    expected = {
        tuple(p) for p in points if not any(all(a >= b for a, b in zip(q, p, strict=True)) and q != p for q in points)
    }
    assert [tuple(point) for point in evolution.front().tolist()] == sorted(expected)
