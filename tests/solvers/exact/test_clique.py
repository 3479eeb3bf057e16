"""The graph of a puzzle: Table 1's counts, files, cliques that are boards; the heuristic's counters are exact."""

from pathlib import Path

import numpy as np
import pytest

from puzzles import DOWN, EMPTY, LEFT, RIGHT, UP, Board, Hint, Puzzle, generate, load
from solvers import SolverError
from solvers.exact.clique import Clique, clique_graph, dimacs, first_corner, read_dimacs
from solvers.exact.clique_search import find_clique

TABLE_1 = {3: (30, 291), 4: (138, 6707), 5: (478, 86183), 6: (1290, 674511), 7: (2910, 3620565)}
"""Nodes and edges of the paper's instances. At 5x5 and 6x6 the paper prints one edge more."""


@pytest.mark.parametrize("size", TABLE_1)
def test_the_graphs_have_the_numbers_of_table_1(size: int, instances: Path) -> None:
    puzzle = load(instances / "meta2010" / f"small_{size}x{size}.csv")
    graph = clique_graph(puzzle, first_corner(puzzle))
    assert (graph.nodes, graph.edges) == TABLE_1[size]


def turned(puzzle: Puzzle, kind: str, *grey: int) -> dict[int, int]:
    """The turn of each tile of a kind with which some sides are grey."""
    tiles = [tile for tile, one in enumerate(puzzle.kinds) if one == kind]
    return {t: next(k for k in range(4) if (puzzle.sides[list(grey), 4 * t + k] == 0).all()) for t in tiles}


def odd_edges(puzzle: Puzzle) -> bool:
    """Whether the number of edges is odd, whichever corner tile is in the first corner; see docs/matheuristics.md."""
    sides, found = puzzle.sides, 1
    borders = [4 * tile + turn for tile, turn in turned(puzzle, "border", UP).items()]
    for tile, turn in turned(puzzle, "corner", UP, LEFT).items():
        found += sum(int(sides[LEFT, one] == sides[RIGHT, 4 * tile + turn]) for one in borders)
        found += sum(int(sides[RIGHT, one] == sides[DOWN, 4 * tile + turn]) for one in borders)
    return found % 2 == 1


def edges_by_corner(puzzle: Puzzle) -> list[int]:
    """The number of edges with each of the corner tiles in the first corner."""
    corners = turned(puzzle, "corner", UP, LEFT).items()
    return [clique_graph(puzzle, [Hint(tile, 0, 0, turn)]).edges for tile, turn in corners]


def test_the_parity_of_the_edges_does_not_depend_on_the_corner_tile() -> None:
    seen = set()
    for seed in range(12):
        puzzle, _ = generate(3 + seed % 3, 3 + seed % 3, 3 + seed % 2, 3, seed)
        assert {edges % 2 == 1 for edges in edges_by_corner(puzzle)} == {odd_edges(puzzle)}
        seen.add(odd_edges(puzzle))
    assert seen == {False, True}


def test_the_numbers_printed_for_5x5_and_6x6_have_the_wrong_parity(instances: Path) -> None:
    puzzles = {size: load(instances / "meta2010" / f"small_{size}x{size}.csv") for size in (3, 4, 5, 6, 7, 8)}
    assert edges_by_corner(puzzles[5]) == [86183, 86179, 86181, 86181]
    printed = {3: 291, 4: 6707, 5: 86184, 6: 674512, 7: 3620565, 8: 14751304}
    assert [size for size in printed if printed[size] % 2 != odd_edges(puzzles[size])] == [5, 6]


def is_adjacent(puzzle: Puzzle, graph: Clique, one: int, other: int) -> bool:
    cells = int(graph.cell[one]), int(graph.cell[other])
    if cells[0] == cells[1] or graph.one[one] // 4 == graph.one[other] // 4:
        return False
    board = np.full(puzzle.size, EMPTY, dtype=np.uint16)
    board[list(cells)] = graph.one[[one, other]]
    return not Board(puzzle, board.reshape(puzzle.shape)).mismatches


@pytest.mark.parametrize("framed", [True, False])
def test_nodes_are_adjacent_unless_they_conflict(framed: bool) -> None:
    rng = np.random.default_rng(1)
    puzzle = generate(3, 4, 2, 2, 1)[0] if framed else Puzzle(2, 3, rng.integers(0, 3, (6, 4)), strict=False)
    graph = clique_graph(puzzle)
    assert (graph.adjacent == graph.adjacent.T).all()
    for one in range(graph.nodes):
        for other in range(graph.nodes):
            assert graph.adjacent[one, other] == (one != other and is_adjacent(puzzle, graph, one, other))


def test_a_region_has_the_nodes_that_fit_around_it() -> None:
    puzzle, solution = generate(5, 5, 3, 4, 1)
    board, region = solution.cells.ravel().copy(), [6, 7, 11, 12]
    graph = clique_graph(puzzle, board=board, region=region)
    assert graph.cells == 4
    assert set(graph.cell.tolist()) <= set(region)
    found = find_clique(np.random.default_rng(1), graph.adjacent, 10_000, 4)
    assert len(found.clique) == 4
    board[graph.cell[found.clique]] = graph.one[found.clique]
    assert Board(puzzle, board.reshape(5, 5)).score == puzzle.max_score
    for one, other in zip(graph.cell, graph.one, strict=True):
        lone = solution.cells.ravel().copy()
        lone[region] = EMPTY
        lone[one] = other
        assert not Board(puzzle, lone.reshape(5, 5)).mismatches


def test_the_first_corner_tile_is_placed_only_where_rotations_take_it_there() -> None:
    for rows, cols in ((2, 4), (4, 2), (1, 3)):
        for seed in range(4):
            puzzle, solution = generate(rows, cols, 2, 3, seed, style="benoist")
            hints, placed = first_corner(puzzle), solution.cells
            turned = np.where(placed == EMPTY, EMPTY, placed // 4 * 4 + (placed + 2) % 4)[::-1, ::-1]
            for hint in hints:
                assert 4 * hint.tile + hint.rotation in (placed[hint.row, hint.col], turned[hint.row, hint.col])
    assert len(first_corner(generate(3, 3, 2, 3, 1)[0])) == 1


def test_cliques_are_cliques_and_small_puzzles_are_solved() -> None:
    for seed in range(4):
        puzzle, _ = generate(4, 4, 2, 3, seed)
        graph = clique_graph(puzzle, first_corner(puzzle))
        found = find_clique(np.random.default_rng(seed), graph.adjacent, 300_000, 16)
        inside = graph.adjacent[np.ix_(found.clique, found.clique)]
        assert (inside == ~np.eye(len(found.clique), dtype=bool)).all()
        assert len(found.clique) == 16
        assert graph.matched(found.clique) == 24
        short = find_clique(np.random.default_rng(seed), graph.adjacent, 9, 16)
        assert short.selections == 9
        inside = graph.adjacent[np.ix_(short.clique, short.clique)]
        assert (inside == ~np.eye(len(short.clique), dtype=bool)).all()


@pytest.mark.parametrize("density", [0.0, 0.3, 0.9, 1.0])
def test_the_largest_clique_of_a_random_graph_is_found(density: float) -> None:
    rng = np.random.default_rng(1)
    for nodes in (1, 2, 12, 70):
        adjacent = np.triu(rng.random((nodes, nodes)) < density, 1)
        adjacent |= adjacent.T
        found = find_clique(np.random.default_rng(2), adjacent, 3000)
        assert (adjacent[np.ix_(found.clique, found.clique)] == ~np.eye(len(found.clique), dtype=bool)).all()
        if nodes <= 12:
            largest = max(
                mask.bit_count()
                for mask in range(1 << nodes)
                if all(adjacent[k, j] for k in range(nodes) for j in range(k) if mask >> k & 1 and mask >> j & 1)
            )
            assert len(found.clique) == largest
        if density == 1.0:
            assert len(found.clique) == nodes


def test_files_are_read_as_they_were_written() -> None:
    graph = clique_graph(generate(3, 3, 2, 3, 1)[0])
    text = "".join(dimacs(graph.adjacent, ["a comment"]))
    assert text.startswith(f"c a comment\np edge {graph.nodes} {graph.edges}\ne 1 ")
    assert (read_dimacs(text) == graph.adjacent).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line 'p edge"),
        ("p edge 3 1\ne 1 4\n", "line 2: expected .*; found 'e 1 4'"),
        ("e 1 2\n", "line 1"),
        ("p edge x 1", "line 1"),
        ("p edge 30000 1", "line 1: expected .* at most 20000 nodes; found 'p edge 30000 1'"),
        ("p edge 3 1\nhello", "line 2"),
    ],
)
def test_bad_files_are_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(SolverError, match=message):
        read_dimacs(text)


def test_graphs_that_are_too_large_are_refused(eternity2: Puzzle) -> None:
    with pytest.raises(SolverError, match="the graph would have 156816 nodes; at most 20000"):
        clique_graph(eternity2)
    with pytest.raises(SolverError, match="not on the board of 256 cells"):
        clique_graph(eternity2, region=[256])
