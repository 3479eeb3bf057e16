"""`Portfolio`: the backtracker for a short budget, then edge filtering, because what pays depends on the puzzle.

On boards with many colours, row-major backtracking is done before a stronger filter has paid off; on others it is
hopeless. Where the frame has few colours of its own, it can be filled in so many ways that edge filtering, which fills
it first, is the slower of the two: there the backtracker keeps at it, unless its tree is expected to be far too large.
The solutions that the backtracker found count if it finished; otherwise edge filtering finds them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles import Hint, Puzzle
from solvers.errors import SolverError
from solvers.exact.backtracker import Backtracker, best_turn, turned_for_rows
from solvers.exact.coloured_tiles import ColouredTiles
from solvers.exact.edge_filtering import EdgeFiltering
from solvers.exact.enumerator import Enumerator, Tally
from solvers.exact.tree_size import tree_size
from solvers.progress import Progress
from solvers.search import State

SHORT = 20_000_000
"""The nodes that the backtracker may visit: less than a second."""
LONG = 100_000_000_000
"""The nodes that it may visit where the frame has few colours: less than an hour."""


def backtracker_nodes(puzzle: Puzzle, pins: Iterable[Hint]) -> int:
    """Return how many nodes the backtracker may visit before edge filtering takes over: `SHORT` or `LONG`."""
    tiles = ColouredTiles(puzzle, pins)
    inner, frame = map(len, tiles.zones)
    poor = tiles.can_frame and min(puzzle.shape) > 1 and 0 < 2 * frame <= inner
    if not poor or not all(tiles.values(pin.row * puzzle.cols + pin.col) for pin in tiles.pins):
        return SHORT
    turned = turned_for_rows(tiles, best_turn(tiles))
    return LONG if tree_size(turned.puzzle, pins=turned.pins).log10_nodes <= log10(LONG) else SHORT


class Portfolio:
    """Enumeration by the backtracker, if it finishes soon, or else by edge filtering. It counts the nodes of both.

    Args:
        puzzle: The puzzle to solve.
        rng: Shuffles the order in which tiles are tried.
        evaluations: The largest number of nodes.
        short: The largest number of nodes of the backtracker; 0 lets the colours of the frame decide
            (`backtracker_nodes`).
        pins: Hints to keep in place.
        limit: The number of solutions after which the search ends; 0 means all.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        short: int = 0,
        pins: Iterable[Hint] = (),
        limit: int = 0,
    ) -> None:
        self.rng, self._puzzle, self._evaluations = rng, puzzle, evaluations
        self._options: dict[str, Any] = {"pins": tuple(pins), "limit": limit}
        self._spent = 0
        """The nodes of the backtracker, once it has been given up."""
        budget = min(short or backtracker_nodes(puzzle, self._options["pins"]), evaluations)
        self._engine: Enumerator = Backtracker(puzzle, rng, budget, **self._options)

    def _second_engine(self, spent: int) -> Enumerator:
        return EdgeFiltering(self._puzzle, self.rng, self._evaluations - spent, **self._options)

    def reports(self) -> Iterator[Progress]:
        """Run the search from its current state, and yield a report after each chunk."""
        yield from self._counted()
        done = self._engine.tally().nodes
        if not self._spent and not self._engine.is_over and done < self._evaluations:
            first, self._engine = self._engine, self._second_engine(done)
            self._engine.begin_with_best(first)
            self._spent = done
            yield from self._counted()

    def _counted(self) -> Iterator[Progress]:
        for progress in self._engine.reports():
            yield progress._replace(evaluations=self._spent + progress.evaluations)

    def solutions(self) -> list[NDArray[np.uint16]]:
        """Return the solutions: none while the backtracker may still be given up."""
        return self._engine.solutions() if self._spent or self._engine.is_over else []

    def tally(self) -> Tally:
        """Return what was found so far."""
        tally = self._engine.tally()
        if not self._spent and not self._engine.is_over:
            tally = tally._replace(solutions=0, labelled=0)
        return tally._replace(nodes=self._spent + tally.nodes)

    def state(self) -> State:
        """Return the state of the engine that is at work, and the nodes of the other."""
        return self._engine.state() | {"spent": np.array([self._spent], dtype=np.int64)}

    def restore(self, state: State) -> None:
        """Resume from the state of another search with the same arguments."""
        spent = state.get("spent")
        if spent is None or spent.shape != (1,) or spent.dtype != np.int64 or not 0 <= spent[0] < self._evaluations:
            raise SolverError("invalid state: the nodes of the backtracker are missing or out of range")
        nodes = int(spent[0])
        engine = self._second_engine(nodes) if nodes else self._engine
        engine.restore({name: array for name, array in state.items() if name != "spent"})
        self._engine, self._spent = engine, nodes
