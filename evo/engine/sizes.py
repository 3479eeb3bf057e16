"""Sizes in settings, checked against the board.

A greatest size that is larger than the board is cut to it, and so is a single size up to its default, so that the
defaults serve boards of any size. What no board of this size can have is refused.
"""

from __future__ import annotations

from evo.errors import ConfigError
from evo.settings.evolution import AIEA, EvolutionSettings
from evo.settings.regions import RegionInit
from evo.settings.repair import RepairSettings
from operators import Lattice, OperatorError
from operators.variation import check_crossover_sizes, check_mutation_sizes

_DEFAULT = RepairSettings()


def check_sizes(lattice: Lattice, settings: EvolutionSettings) -> None:
    """Refuse sizes that are larger than the board.

    Raises:
        ConfigError: One is; the message begins with its key.
    """
    key = "mutation_sizes"
    try:
        check_mutation_sizes(lattice, settings.mutation_sizes)
        if not isinstance(settings, AIEA):
            key = "crossover_sizes"
            check_crossover_sizes(lattice, settings.crossover_sizes)
    except OperatorError as error:
        raise ConfigError(f"{key}: {error}") from None
    if isinstance(settings.init, RegionInit):
        _check_region("init.region", lattice, settings.init.region)
    if settings.repair is not None:
        _check_repair(lattice, settings.repair)


def _check_repair(lattice: Lattice, how: RepairSettings) -> None:
    if how.kind == "regions":
        _check_region("repair.region", lattice, how.region, _DEFAULT.region)
    elif how.cells == "scattered":
        most = (lattice.rows * lattice.cols + 1) // 2
        if how.size > max(most, _DEFAULT.size):
            raise ConfigError(
                f"repair.size: expected at most {most}, as no two cells of a move touch on the"
                f" {lattice.rows}x{lattice.cols} board; found {how.size}"
            )


def _check_region(key: str, lattice: Lattice, region: tuple[int, int], always: tuple[int, int] = (1, 1)) -> None:
    """Refuse a region with more rows or columns than the board, and than any board is asked for."""
    rows, cols = lattice.rows, lattice.cols
    if region[0] > max(rows, always[0]) or region[1] > max(cols, always[1]):
        raise ConfigError(
            f"{key}: expected at most the {rows}x{cols} cells of the board; found {region[0]}x{region[1]}"
        )
