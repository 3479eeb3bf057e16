"""Beam search: against a plain one, against trying everything, and against what every board must be."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.plain_beam import plain_beam
from operators import PATHS, make_path
from puzzles import Board, Hint, Puzzle, generate, load
from solvers import SolverError
from solvers.construct.beam import Beam, BeamOptions
from solvers.construct.route import make_route
from solvers.memory import check_memory
from tests.strategies import framed_puzzles, loose_puzzles

QUIET = BeamOptions(width=12, noise=0.0)


def checked(puzzle: Puzzle, beam: Beam, seed: int, pins: tuple[Hint, ...] = ()) -> Board:
    """A board, and what must hold of every one that a beam builds."""
    built = beam.construct(np.random.default_rng(seed))
    board = Board(puzzle, built.cells)
    report = board.verify()
    assert report.placed == puzzle.size
    assert not report.duplicates
    assert report.score == puzzle.max_score - built.mismatches
    assert all(built.cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in pins)
    return board


@given(st.data(), st.integers(1, 30), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_every_board_is_whole_and_its_mismatches_are_counted(data: st.DataObject, width: int, seed: int) -> None:
    puzzle = data.draw(loose_puzzles(7).filter(lambda one: one.size > 1))
    path = data.draw(st.sampled_from(list(PATHS)))
    pins = puzzle.hints if data.draw(st.booleans()) else ()
    checked(puzzle, Beam(puzzle, options=BeamOptions(width=width), path=path, pins=pins), seed, pins)


@given(framed_puzzles(7), st.sampled_from(list(PATHS)), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_grey_lies_on_the_rim_and_nowhere_else(case: tuple[Puzzle, Board], path: str, seed: int) -> None:
    puzzle, _ = case
    if puzzle.size > 1:
        board = checked(
            puzzle, Beam(puzzle, options=BeamOptions(width=20), path=path, pins=puzzle.hints), seed, puzzle.hints
        )
        assert board.verify().frame


@given(st.data(), st.integers(1, 12), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_without_noise_it_builds_what_a_plain_beam_builds(data: st.DataObject, width: int, seed: int) -> None:
    puzzle = data.draw(st.one_of(loose_puzzles(4), framed_puzzles(4).map(lambda case: case[0])))
    if puzzle.size < 2:
        return
    pins = puzzle.hints if data.draw(st.booleans()) else ()
    named = data.draw(st.sampled_from(["random", *PATHS]))
    own = np.random.default_rng(seed).permutation(puzzle.size).tolist()
    path = make_path(own if named == "random" else named, *puzzle.shape)
    how = BeamOptions(
        width=width,
        noise=0.0,
        border=data.draw(st.sampled_from([1.0, 3.0])),
        early_width=0.5,
        late_rows=data.draw(st.sampled_from([0, 1, 2.5, 4])),
        completions=data.draw(st.sampled_from([0.0, 0.18, 1.3])),
        along=data.draw(st.sampled_from([0.0, 0.05, 0.7])),
        across=data.draw(st.sampled_from([0.0, 0.08, 0.7])),
    )
    beam = Beam(puzzle, options=how, path=list(path), pins=pins)
    built = beam.construct(np.random.default_rng(seed))
    cells, mismatches = plain_beam(puzzle, how, list(path), pins, beam.widths.tolist())
    assert built.mismatches == mismatches
    assert (built.cells == cells).all()


def test_skipping_states_in_the_late_part_changes_nothing() -> None:
    """Few colours, so that a tile has some of them twice, and many states, most of which are skipped."""
    rng = np.random.default_rng(5)
    few = [Puzzle(9, 9, rng.integers(1, colours + 1, (81, 4)), strict=False) for colours in (3, 6)]
    framed = [generate(9, 9, 2, colours, 7, style="benoist", hints=2)[0] for colours in (3, 6)]
    for puzzle in (load("eternity2"), *few, *framed):
        for completions, path in ((0.18, "rows_columns"), (1.0, "rows_columns"), (0.5, "spiral_in")):
            how = BeamOptions(width=150, noise=0.0, completions=completions)
            beam, patient = (Beam(puzzle, options=how, path=path, pins=puzzle.hints) for _ in range(2))
            patient.late = beam.late._replace(allowance=beam.late.allowance + 1000)
            one, other = (which.construct(np.random.default_rng(1)) for which in (beam, patient))
            assert (one.cells == other.cells).all()
            assert one.evaluated < other.evaluated


def test_a_beam_that_keeps_everything_finds_the_best_board() -> None:
    rng = np.random.default_rng(4)
    for _ in range(3):
        puzzle = Puzzle(2, 2, rng.integers(1, 4, (4, 4)), strict=False)
        best = max(
            Board(puzzle, (np.array(tiles) * 4 + turns).reshape(2, 2)).score
            for tiles in permutations(range(4))
            for turns in product(range(4), repeat=4)
        )
        plain = BeamOptions(width=10_000, early_width=1.0, concentration=0.0, noise=0.0, none_fits=0.0, one_fits=0.0)
        assert checked(puzzle, Beam(puzzle, options=plain), 1).score == best


def test_the_same_seed_builds_the_same_board_whatever_was_built_before() -> None:
    puzzle = load("eternity2")
    beam = Beam(puzzle, options=BeamOptions(width=60))
    one, other, again = (beam.construct(np.random.default_rng(seed)).cells for seed in (1, 2, 1))
    assert (one == again).all()
    assert (one != other).any()
    assert (one == Beam(puzzle, options=BeamOptions(width=60)).construct(np.random.default_rng(1)).cells).all()


def test_it_goes_on_from_the_first_cells_of_another_board() -> None:
    puzzle = load("eternity2")
    beam = Beam(puzzle, options=BeamOptions(width=60))
    board = beam.construct(np.random.default_rng(1)).cells
    for depth in (1, 100, 200, 255, 256):
        prefix = board.ravel()[beam.route.cells[:depth]]
        built = beam.construct(np.random.default_rng(2), prefix=prefix)
        assert (built.cells.ravel()[beam.route.cells[:depth]] == prefix).all()
        assert Board(puzzle, built.cells).score == 480 - built.mismatches
        assert not Board(puzzle, built.cells).verify().duplicates


def test_hints_of_eternity_2_stay_where_they_belong() -> None:
    puzzle = load("eternity2")
    assert len(puzzle.hints) == 5
    board = checked(puzzle, Beam(puzzle, options=BeamOptions(width=200), pins=puzzle.hints), 3, puzzle.hints)
    assert board.verify().hints_honoured == 5
    assert board.verify().frame


def test_a_few_hundred_states_beat_all_that_evolution_has_printed() -> None:
    puzzle = load("eternity2")
    scores = [checked(puzzle, Beam(puzzle, options=BeamOptions(width=500)), seed).score for seed in range(3)]
    assert min(scores) > 445  # the best evolutionary result in print is 396


def test_the_parts_of_the_key_matter() -> None:
    """On Eternity II, concentration is worth several edges, and the late value more than one (docs/champion.md)."""
    puzzle = load("eternity2")

    def mean(options: BeamOptions) -> float:
        beam = Beam(puzzle, options=options)
        return float(np.mean([checked(puzzle, beam, seed).score for seed in range(16)]))

    whole = BeamOptions(width=300)
    assert mean(whole) > mean(whole._replace(concentration=0.0)) + 2
    assert mean(whole) > mean(whole._replace(late_rows=0)) + 0.5


def test_memory_is_planned_before_it_is_taken() -> None:
    puzzle = load("eternity2")
    for width, limit in ((131_072, 1), (1_048_576, 6)):
        assert Beam(puzzle, options=BeamOptions(width=width)).memory < limit * 2**30
    beam = Beam(puzzle, options=BeamOptions(width=100))
    beam.construct(np.random.default_rng(1))
    room = beam._room
    arrays = [*room.states[0], *room.states[1], *room.children, *room.history, *room.scratch]
    assert beam.memory == sum(array.nbytes for array in arrays)
    with pytest.raises(
        SolverError, match=r"^a beam of width 1,000,000,000 needs [0-9.]+ GB of memory; only [0-9.]+ GB"
    ):
        Beam(puzzle, options=BeamOptions(width=10**9))
    check_memory("nothing", 0)


def test_a_route_has_few_slots_and_every_cell_once() -> None:
    puzzle = load("eternity2")
    route, beginning = make_route(puzzle, "row")
    assert route.slots == 17  # sixteen cells look down, one to the right
    assert sorted(route.cells) == list(range(256))
    assert beginning.left.sum() == 4 * 256
    route, beginning = make_route(puzzle, "row", puzzle.hints)
    assert len(route.cells) == 251
    assert beginning.left.sum() == 4 * 251


def test_a_width_that_is_none_is_refused() -> None:
    with pytest.raises(SolverError, match="width: expected 1 or more; found 0"):
        Beam(load("eternity2"), options=BeamOptions(width=0))
