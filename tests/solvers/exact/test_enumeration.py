"""Every solution, found by each engine: against an obvious oracle, the known boards, and each other."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import Board, Hint, Puzzle, generate
from solvers import Backtracker, ColourPairs, Division, EdgeFiltering, Enumerator, PairOptions, SolverError
from solvers.exact.pair_choice import HEURISTICS
from solvers.exact.pair_tables import most_shared_edges

ENGINES: list[type[Enumerator]] = [Backtracker, EdgeFiltering, ColourPairs]
PLENTY = 10**12
MOST_VISITS = 5_000
"""Of the oracle, which is slow."""


def engine(kind: type[Enumerator], puzzle: Puzzle, seed: int = 1, **options: object) -> Enumerator:
    return kind(puzzle, np.random.default_rng(seed), PLENTY, **options)


def finished(search: Enumerator) -> Enumerator:
    for _ in search.reports():
        pass
    return search


def boards(search: Enumerator) -> set[bytes]:
    return {cells.tobytes() for cells in search.solutions()}


def labelled_boards(puzzle: Puzzle, pins: tuple[Hint, ...] = ()) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All boards, tile by tile and turn by turn, cell after cell; what is yielded is the colours of each cell.

    Raises:
        OverflowError: There are too many partial boards.
    """
    visits = itertools.count()
    pinned = {pin.row * puzzle.cols + pin.col: (pin.tile, pin.rotation) for pin in pins}

    def fits(placed: list[tuple[int, ...]], shown: tuple[int, ...]) -> bool:
        row, col = divmod(len(placed), puzzle.cols)
        rim = (row == 0, col == puzzle.cols - 1, row == puzzle.rows - 1, col == 0)
        for colour, outward in zip(shown, rim, strict=True):
            if not outward and colour == 0:
                return False
            if outward and puzzle.framed and colour != 0:
                return False
        above = row == 0 or placed[-puzzle.cols][2] == shown[0]
        return above and (col == 0 or placed[-1][1] == shown[3])

    def visit(placed: list[tuple[int, ...]], left: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
        if next(visits) > MOST_VISITS:
            raise OverflowError
        if not left:
            yield tuple(placed)
        for tile, turn in itertools.product(left, range(4)):
            if len(placed) in pinned and pinned[len(placed)] != (tile, turn):
                continue
            sides = puzzle.tiles[tile].tolist()
            shown = tuple(sides[(side - turn) % 4] for side in range(4))
            if fits(placed, shown):
                yield from visit([*placed, shown], [other for other in left if other != tile])

    yield from visit([], list(range(puzzle.size)))


@st.composite
def tiny_puzzles(draw: st.DrawFn) -> tuple[Puzzle, tuple[Hint, ...]]:
    """A puzzle of few cells and few colours: identical and symmetric tiles are frequent. With a frame, or without."""
    rows, cols = draw(st.sampled_from([(1, 1), (1, 3), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 3)]))
    seed = draw(st.integers(0, 2**32))
    if draw(st.booleans()):
        colours = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        puzzle, solution = generate(rows, cols, *colours, seed, style="benoist")
    else:
        rows, cols = min(rows, 3), min(cols, 2)
        rng = np.random.default_rng(seed)
        above, beside = rng.integers(1, draw(st.integers(2, 4)), (2, rows + 1, cols + 1))
        tiles = np.stack([above[:-1, :-1], beside[:-1, 1:], above[1:, :-1], beside[:-1, :-1]], axis=-1)
        puzzle = Puzzle(rows, cols, tiles.reshape(-1, 4), strict=False)
        solution = Board(puzzle, 4 * np.arange(rows * cols).reshape(rows, cols))
    cells = draw(st.lists(st.integers(0, rows * cols - 1), max_size=2, unique=True))
    values = [int(solution.cells.ravel()[cell]) for cell in cells]
    if draw(st.booleans()):
        values = [value ^ 1 for value in values]  # perhaps there is no such board
    pins = [Hint(v // 4, cell // cols, cell % cols, v % 4) for v, cell in zip(values, cells, strict=True)]
    return puzzle, tuple(pins)


@pytest.mark.parametrize("kind", ENGINES)
@settings(max_examples=80)
@given(drawn=tiny_puzzles(), seed=st.integers(0, 99))
def test_the_solutions_are_those_of_the_oracle(
    kind: type[Enumerator], drawn: tuple[Puzzle, tuple[Hint, ...]], seed: int
) -> None:
    puzzle, pins = drawn
    try:
        found = list(labelled_boards(puzzle, pins))
    except OverflowError:
        return
    search = finished(engine(kind, puzzle, seed, pins=pins))
    tally = search.tally()
    assert tally.proved
    assert (tally.solutions, tally.labelled) == (len(set(found)), len(found))
    shown = [Board(puzzle, cells.reshape(puzzle.shape)) for cells in search.solutions()]
    colours = [tuple(map(tuple, board.sides.reshape(4, -1).T.tolist())) for board in shown]
    assert set(colours) == set(found)
    assert len(colours) == tally.solutions
    for board in shown:
        assert len(set((board.cells.ravel() // 4).tolist())) == puzzle.size
        assert all(board.cells[pin.row, pin.col] == 4 * pin.tile + pin.rotation for pin in pins)


def known_boards(folder: Path) -> Iterator[tuple[Puzzle, Hint, int]]:
    for line in (folder / "enumeration" / "boards.jsonl").read_text().splitlines():
        board = json.loads(line)
        clue = board["clue"]
        puzzle = Puzzle(board["rows"], board["cols"], board["pieces"], name=board["name"])
        turn = -clue["quarter_turns_anticlockwise"] % 4
        yield puzzle, Hint(clue["tile"], clue["row"], clue["col"], turn), board["solutions"]


@pytest.mark.parametrize(
    ("kind", "nodes", "least"), [(Backtracker, 500_000, 140), (EdgeFiltering, 3_000, 140), (ColourPairs, 1_500, 60)]
)
def test_the_known_boards_have_the_known_counts(
    kind: type[Enumerator], nodes: int, least: int, instances: Path
) -> None:
    if not (instances / "enumeration").is_dir():
        pytest.skip(f"no boards with known counts in {instances}")
    proved = 0
    for puzzle, clue, count in known_boards(instances):
        search = finished(kind(puzzle, np.random.default_rng(1), nodes, pins=(clue,)))
        proved += search.tally().proved
        if search.tally().proved:
            assert search.tally().solutions == count, puzzle.name
        assert search.tally().solutions <= count
        assert len(boards(search)) == search.tally().solutions
    assert proved >= least


def cp_sat_count(puzzle: Puzzle) -> int:
    """The number of labelled boards according to OR-tools, from a model that shares nothing with the engines."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model", reason="OR-tools is not installed")
    model = cp_model.CpModel()
    rows, cols = puzzle.shape
    lies = {
        (row, col, value): model.new_bool_var("")
        for row in range(rows) for col in range(cols) for value in range(4 * puzzle.size)
        if [bool(puzzle.sides[side, value] == 0) for side in range(4)]
        == [row == 0, col == cols - 1, row == rows - 1, col == 0]
    }  # fmt: skip
    for row, col in itertools.product(range(rows), range(cols)):
        model.add_exactly_one(lie for (r, c, _), lie in lies.items() if (r, c) == (row, col))
    for tile in range(puzzle.size):
        model.add_exactly_one(lie for (_, _, value), lie in lies.items() if value // 4 == tile)
    for row, col in itertools.product(range(rows), range(cols)):
        for side, near in ((1, (row, col + 1)), (2, (row + 1, col))):
            for colour in range(1, int(puzzle.tiles.max()) + 1):
                shown = [
                    sum(
                        lie
                        for (r, c, value), lie in lies.items()
                        if (r, c) == cell and puzzle.sides[at, value] == colour
                    )
                    for cell, at in (((row, col), side), (near, (side + 2) % 4))
                ]
                if near[0] < rows and near[1] < cols:
                    model.add(shown[0] == shown[1])

    class Counter(cp_model.CpSolverSolutionCallback):
        count = 0

        def on_solution_callback(self) -> None:
            self.count += 1

    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, counter)
    return counter.count


def test_cp_sat_counts_the_same_boards() -> None:
    counts = []
    for seed in range(4):
        puzzle = generate(4, 4, 3, 4, seed, style="benoist")[0]
        counts.append(cp_sat_count(puzzle))
        assert {finished(engine(kind, puzzle)).tally().labelled for kind in ENGINES} == {counts[-1]}
    assert max(counts) > 4


def some_puzzle(seed: int) -> Puzzle:
    """A puzzle with some solutions, identical tiles among its tiles, and a tree of some hundred to thousand nodes."""
    return generate(4, 5, 3, 3, seed, style="benoist")[0]


def test_the_engines_find_the_same_boards() -> None:
    counts = []
    for seed in range(40):
        puzzle = some_puzzle(seed)
        found = [boards(finished(engine(kind, puzzle, seed, limit=1000))) for kind in ENGINES]
        if len(found[0]) < 1000:
            assert all(one == found[0] for one in found)
            counts.append(len(found[0]))
    assert len(counts) > 3
    assert max(counts) > 10


@st.composite
def pair_options(draw: st.DrawFn) -> PairOptions:
    flags = {name: draw(st.booleans()) for name, default in PairOptions()._asdict().items() if default is True}
    assert len(flags) == 6
    return PairOptions(
        **flags, heuristic=draw(st.sampled_from(HEURISTICS)), shaving=draw(st.sampled_from([0, 1, 3, 100]))
    )


@settings(max_examples=40)
@given(drawn=tiny_puzzles(), options=pair_options())
def test_no_component_of_colour_pairs_loses_a_solution(
    drawn: tuple[Puzzle, tuple[Hint, ...]], options: PairOptions
) -> None:
    puzzle, pins = drawn
    every = finished(engine(EdgeFiltering, puzzle, pins=pins, limit=300))
    found = finished(engine(ColourPairs, puzzle, pins=pins, limit=300, options=options))
    assert found.tally().solutions == every.tally().solutions
    if every.tally().proved:
        assert boards(found) == boards(every)


@given(seed=st.integers(0, 2**32), options=pair_options())
@settings(max_examples=40)
def test_no_component_loses_a_solution_of_a_larger_board(seed: int, options: PairOptions) -> None:
    puzzle = generate(5, 5, 3, 4, seed, style="benoist")[0]
    every = finished(engine(EdgeFiltering, puzzle, limit=400))
    if every.tally().proved:
        assert boards(finished(engine(ColourPairs, puzzle, options=options))) == boards(every)


def test_components_that_filter_need_fewer_nodes() -> None:
    puzzles = [generate(6, 6, 5, 6, seed, style="benoist", hints=1)[0] for seed in range(3)]

    def nodes(options: PairOptions) -> int:
        return sum(finished(engine(ColourPairs, p, pins=p.hints, options=options)).tally().nodes for p in puzzles)

    plain = PairOptions(
        opposite=False, preemption=False, shared_edges=False, cycles=False, patterns=False, backjumping=False, shaving=0
    )
    assert nodes(plain._replace(opposite=True)) < nodes(plain)
    assert nodes(plain._replace(shaving=3)) < nodes(plain) / 2
    assert nodes(PairOptions()) < nodes(plain) / 5


def test_backjumping_and_the_cycle_rule_only_leave_nodes_out() -> None:
    """Neither changes the order in which cells and tiles are tried: nodes are left out, and never solutions."""
    plain = PairOptions(*[False] * 5, heuristic="MinOffer", backjumping=False, shaving=0)
    saved = {"backjumping": 0, "cycles": 0}
    for seed in range(6):
        puzzle = generate(5, 5, 5, 5, seed, style="benoist", hints=1)[0]
        found = finished(engine(ColourPairs, puzzle, pins=puzzle.hints, options=plain))
        for name in saved:
            other = finished(engine(ColourPairs, puzzle, pins=puzzle.hints, options=plain._replace(**{name: True})))
            assert [c.tolist() for c in other.solutions()] == [c.tolist() for c in found.solutions()]
            assert other.tally().nodes <= found.tally().nodes
            saved[name] += found.tally().nodes - other.tally().nodes
    assert min(saved.values()) > 0


def test_a_state_with_reasons_from_the_future_is_refused() -> None:
    search = ColourPairs(some_puzzle(1), np.random.default_rng(1), 50)
    state = finished(search).state()
    state["failed"][2] = 1 << 2
    with pytest.raises(SolverError, match="a failure is explained by a later decision"):
        engine(ColourPairs, some_puzzle(1)).restore(state)


@pytest.mark.parametrize("opposite", [False, True])
def test_the_work_per_node_does_not_depend_on_the_size_of_the_board(opposite: bool) -> None:
    """The paper's claim: filtering in constant time. Colours grow with the board, as in real puzzles."""
    work = []
    for side in (7, 10, 13, 16):
        puzzle = generate(side, side, 5, side + 1, 1)[0]
        options = PairOptions(opposite=opposite, shaving=0)
        search = finished(ColourPairs(puzzle, np.random.default_rng(1), 20_000, options=options))
        work.append(search.work / search.tally().nodes)
    assert max(work) < 1.5 * min(work)
    assert max(work) < 200


def test_the_bound_on_shared_edges_is_that_of_all_small_shapes() -> None:
    """Polyominoes grown cell by cell, all of them up to eight cells."""
    shapes = {frozenset([(0, 0)])}
    for count in range(1, 9):
        shared = max(sum((x + 1, y) in s for x, y in s) + sum((x, y + 1) in s for x, y in s) for s in shapes)
        assert most_shared_edges(count) == shared
        grown = set()
        for shape in shapes:
            for x, y in shape:
                for near in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
                    if near not in shape:
                        cells = shape | {near}
                        left, low = min(a for a, _ in cells), min(b for _, b in cells)
                        grown.add(frozenset((a - left, b - low) for a, b in cells))
        shapes = grown


def test_wrong_options_are_named() -> None:
    puzzle = generate(3, 3, 2, 2, 1)[0]
    with pytest.raises(SolverError, match="heuristic: expected one of MinOffer"):
        engine(ColourPairs, puzzle, options=PairOptions(heuristic="MinDomain"))
    with pytest.raises(SolverError, match="shaving: expected 0 or more"):
        engine(ColourPairs, puzzle, options=PairOptions(shaving=-1))


@pytest.mark.parametrize("kind", ENGINES)
def test_a_search_put_down_anywhere_finds_the_same(kind: type[Enumerator]) -> None:
    rng = np.random.default_rng(5)
    for seed in range(4):
        puzzle = generate(4, 4, 3, 4, seed, style="benoist")[0]
        whole = finished(engine(kind, puzzle, seed))
        for _ in range(6):
            budget = int(rng.integers(1, whole.tally().nodes + 1))
            first = finished(kind(puzzle, np.random.default_rng(seed), budget))
            second = engine(kind, puzzle, seed)
            second.restore(first.state())
            assert [c.tolist() for c in finished(second).solutions()] == [c.tolist() for c in whole.solutions()]
            assert second.tally() == whole.tally()


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize(("parts", "split"), [(2, 1), (3, 2), (4, 5), (5, 40)])
def test_parts_find_every_solution_once(kind: type[Enumerator], parts: int, split: int) -> None:
    for seed in range(3):
        puzzle = generate(4, 4, 3, 3, seed, style="benoist")[0]
        whole = boards(finished(engine(kind, puzzle)))
        found = [boards(finished(engine(kind, puzzle, division=Division(k, parts, split)))) for k in range(parts)]
        assert sum(map(len, found)) == len(whole)
        assert set().union(*found) == whole


@pytest.mark.parametrize("kind", ENGINES)
def test_a_limit_ends_the_search_without_a_proof(kind: type[Enumerator]) -> None:
    puzzle = generate(4, 4, 2, 2, 1, style="benoist")[0]
    search = finished(engine(kind, puzzle, limit=3))
    assert (search.tally().solutions, search.tally().proved) == (3, False)


@pytest.mark.parametrize("kind", ENGINES)
def test_the_share_grows_from_zero_to_one(kind: type[Enumerator]) -> None:
    puzzle = generate(5, 5, 4, 5, 2)[0]
    search = engine(kind, puzzle)
    shares = [search.tally().share for _ in search.reports()]
    assert shares == sorted(shares)
    assert shares[0] < 0.5
    assert shares[-1] == 1.0


@pytest.mark.parametrize("kind", ENGINES)
def test_tiles_that_cannot_fill_the_board_have_no_solution(kind: type[Enumerator]) -> None:
    tiles = generate(3, 3, 2, 2, 1)[0].tiles.copy()
    tiles[tiles.argmin(axis=0)[0]] = 1
    assert finished(engine(kind, Puzzle(3, 3, tiles, strict=False))).tally()[:3] == (0, 0, True)


@pytest.mark.parametrize("kind", [Backtracker, EdgeFiltering])
def test_a_board_that_is_too_large_is_refused(kind: type[Enumerator]) -> None:
    with pytest.raises(SolverError, match="64 pieces of a kind"):
        engine(kind, generate(11, 11, 4, 10, 1)[0])


@pytest.mark.parametrize("division", [Division(0, 2, 0), Division(2, 2, 1), Division(0, 1, -1)])
def test_parts_that_cannot_be_are_refused(division: Division) -> None:
    with pytest.raises(SolverError, match="a part below the parts, dealt at level 1 or later"):
        engine(Backtracker, generate(3, 3, 2, 2, 1)[0], division=division)
