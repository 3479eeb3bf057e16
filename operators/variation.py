"""`Variation`: the sizes of regions, checked against the board, and choices that the paper leaves open."""

from __future__ import annotations

from typing import NamedTuple

from operators.errors import OperatorError
from operators.lattice import Lattice
from operators.well_formed_parts import WellFormed


class Variation(NamedTuple):
    """Bounds of the regions, clipped to the board, and the choices that the paper leaves open."""

    cross_low_rows: int
    cross_high_rows: int
    cross_low_cols: int
    cross_high_cols: int
    exchange_low_rows: int
    exchange_high_rows: int
    exchange_low_cols: int
    exchange_high_cols: int
    turn_low: int
    turn_high: int
    random_refill: bool
    any_turn: bool
    size_first: bool
    keep_frame: bool = False
    """Whether exchange, rotation and crossover keep a frame that is valid."""

    well_formed: WellFormed | None = None
    """How children are made by well-formed crossover; None if by region crossover."""


def make_variation(
    lattice: Lattice,
    crossover_sizes: tuple[int, int] = (2, 8),
    mutation_sizes: tuple[int, int] = (1, 10),
    *,
    random_refill: bool = True,
    any_turn: bool = True,
    size_first: bool = True,
    keep_frame: bool = False,
    well_formed: WellFormed | None = None,
) -> Variation:
    """Return the options of the operators for a board; the defaults are the paper's.

    Args:
        lattice: The board.
        crossover_sizes: Least and greatest height and width of a region that is crossed over.
        mutation_sizes: Least and greatest size of a region that is exchanged or rotated.
        random_refill: Whether the tiles that fill a child's holes are rotated at random, or keep their rotation.
        any_turn: Whether a region is rotated by one, two or three quarter turns, or always by one.
        size_first: Whether regions to exchange keep their size while positions without overlap are drawn.
        keep_frame: Whether a frame that is valid stays valid.
        well_formed: How children are made by well-formed crossover; by default they are made by region crossover.

    Raises:
        OperatorError: The bounds are invalid, or no regions of these sizes fit on the board.
    """
    check_crossover_sizes(lattice, crossover_sizes)
    check_mutation_sizes(lattice, mutation_sizes)
    rows, cols = lattice.rows, lattice.cols
    low_cross, high_cross = crossover_sizes
    low, high = mutation_sizes
    square = min(rows, cols)
    return Variation(
        min(low_cross, rows),
        min(high_cross, rows),
        min(low_cross, cols),
        min(high_cross, cols),
        min(low, rows),
        min(high, rows),
        min(low, cols),
        min(high, cols),
        min(low, square),
        min(high, square),
        random_refill,
        any_turn,
        size_first,
        keep_frame,
        well_formed,
    )


def check_crossover_sizes(lattice: Lattice, sizes: tuple[int, int]) -> None:
    """Refuse bounds of which the lower one is longer than the board; along a shorter side, regions are cut to it.

    Raises:
        OperatorError: It is, or the bounds are invalid.
    """
    rows, cols, least = lattice.rows, lattice.cols, _least("crossover", sizes)
    if least > max(rows, cols):
        raise OperatorError(
            f"no region of size {least} fits on a {rows}x{cols} board; expected a least size of at most"
            f" {max(rows, cols)}"
        )


def check_mutation_sizes(lattice: Lattice, sizes: tuple[int, int]) -> None:
    """Refuse bounds with which no two regions fit on the board; along a shorter side, regions are cut to it.

    Raises:
        OperatorError: None fit, or the bounds are invalid.
    """
    rows, cols, least = lattice.rows, lattice.cols, _least("mutation", sizes)
    if 2 * least > max(rows, cols):
        raise OperatorError(
            f"no two regions of size {least} fit on a {rows}x{cols} board without overlapping; expected a least size"
            f" of at most {max(rows, cols) // 2}"
        )


def _least(what: str, sizes: tuple[int, int]) -> int:
    low, high = sizes
    if not 1 <= low <= high:
        raise OperatorError(f"{what} sizes from {low} to {high}: expected 1 <= least <= greatest")
    return low
