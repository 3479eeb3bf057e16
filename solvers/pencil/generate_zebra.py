"""A generator of Zebra puzzles whose solution is proved to be unique, and whose clues are all needed."""

from __future__ import annotations

import numpy as np

from puzzles.pencil import Attribute, Clue, Zebra
from puzzles.pencil.zebra import LIFE_1962, RELATIONS, holds
from solvers.errors import SolverError
from solvers.pencil.solving import solve
from solvers.programs.engines import available


def zebra(rng: np.random.Generator, houses: int = 5, attributes: int = 5, clues: int = 0) -> Zebra:
    """Return a Zebra puzzle with a unique solution.

    Random true clues are collected until they leave one solution; then each is left out if the others suffice.

    Args:
        rng: The source of randomness.
        houses: The number of houses, at least 2.
        attributes: The number of attributes.
        clues: The least number of clues; the usual puzzles have none that is not needed.

    Raises:
        SolverError: An argument is out of range.
    """
    if not (2 <= houses <= 12 and 1 <= attributes <= 12):
        raise SolverError(f"expected 2 to 12 houses and 1 to 12 attributes; found {houses} and {attributes}")
    names = _names(houses, attributes)
    house = {
        word: int(k) + 1 for names_of in names for word, k in zip(names_of[1], rng.permutation(houses), strict=True)
    }
    words = list(house)
    pool: list[Clue] = []
    while True:
        pool += [clue for _ in range(4 * len(words)) if (clue := _clue(rng, words, house)) not in pool]
        pool = list(dict.fromkeys(pool))
        if _unique(names, pool):
            break
    for clue in [pool[k] for k in rng.permutation(len(pool))]:
        fewer = [other for other in pool if other != clue]
        if len(fewer) >= clues and _unique(names, fewer):
            pool = fewer
    return Zebra(names, tuple(pool))


def _unique(names: tuple[Attribute, ...], clues: list[Clue]) -> bool:
    engine = "sat" if "sat" in available() else None
    return solve(Zebra(names, tuple(clues)), engine=engine).unique is True


def _clue(rng: np.random.Generator, words: list[str], house: dict[str, int]) -> Clue:
    """Return a random true clue; "at" and "not", which say most and least, are rare."""
    while True:
        relation = RELATIONS[int(rng.choice(5, p=(0.4, 0.03, 0.32, 0.2, 0.05)))]
        one, other = (words[int(rng.integers(len(words)))] for _ in range(2))
        clue = Clue(relation, one, house[one] if relation == "at" else other)
        if one != other and holds(clue, house):
            return clue


def _names(houses: int, attributes: int) -> tuple[Attribute, ...]:
    """Return the names of 1962 as far as they go, and numbered ones after them."""
    known = LIFE_1962.attributes[:attributes]
    named = [
        Attribute(name, (*properties[:houses], *(f"{name} {k}" for k in range(len(properties) + 1, houses + 1))))
        for name, properties in known
    ]
    for number in range(len(named) + 1, attributes + 1):
        name = f"Attribute {number}"
        named.append(Attribute(name, tuple(f"{name} {k}" for k in range(1, houses + 1))))
    return tuple(named)
