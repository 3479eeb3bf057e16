"""Generating a puzzle of any kind from a seed, with options by name."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from puzzles.pencil import PencilPuzzle
from solvers.errors import SolverError
from solvers.pencil import generate_cells, generate_networks, generate_zebra

GENERATORS: dict[str, Callable[..., PencilPuzzle]] = {
    "sudoku": generate_cells.sudoku,
    "battleship": generate_cells.battleship,
    "circuit": generate_networks.circuit,
    "hashi": generate_networks.hashi,
    "zebra": generate_zebra.zebra,
}
_LARGEST = 60
_USUAL: dict[str, dict[str, Any]] = {
    "sudoku": {"side": 9},
    "battleship": {"side": 10},
    "circuit": {"side": 6},
    "hashi": {"side": 10},
    "zebra": {},
}


def generate(kind: str, seed: int, **options: Any) -> PencilPuzzle:
    """Return a puzzle whose solution is proved to be unique; the same seed and options give the same puzzle.

    Args:
        kind: "sudoku", "battleship", "circuit", "hashi" or "zebra".
        seed: The seed.
        **options: The options of the generator: `side`, `clues` and `box` of a Sudoku; `side`, `fleet` and `hints` of
            Battleship; `side`, `given` and `path` of a circuit board; `side` and `islands` of Hashi; `houses`,
            `attributes` and `clues` of a Zebra puzzle.

    Raises:
        SolverError: The kind or an option is unknown, or there is no such puzzle.
    """
    if kind not in GENERATORS:
        raise SolverError(f"unknown kind {kind!r}; expected one of {', '.join(GENERATORS)}")
    make = GENERATORS[kind]
    known = list(signature(make).parameters)[1:]
    for name in options:
        if name not in known:
            raise SolverError(f"{kind} has no option {name!r}; it has {', '.join(known)}")
    if not 2 <= options.get("side", 9) <= _LARGEST:
        raise SolverError(f"the size {options['side']} is not within 2..{_LARGEST}")
    chosen = {**_USUAL[kind], **options}
    if kind == "hashi" and "islands" not in chosen:
        chosen["islands"] = min(24, max(2, 24 * chosen["side"] ** 2 // 100))  # 24 crowd a small grid
    return make(np.random.default_rng(seed), **chosen)
