"""Zebra puzzles as Prolog solves them (section 7.2.2): clue after clue, house after house, with backtracking.

A house is a record with a variable for each attribute. A clue tries to unify its properties with the houses from left
to right, and the next clue follows; if none fits, the clue before it tries its next house. What is counted is how often
a clue meets a house, or a pair of houses. That is not what Prolog counts as inferences, which include the calls of the
list predicates and depend on the program; the effect of the order of the clues is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from puzzles.pencil import Clue, Zebra
from puzzles.pencil.zebra import Table


class Trace(NamedTuple):
    """How a search went: the attempts until the first solution, and the solution, or None."""

    attempts: int
    solution: Table | None


def orderings(puzzle: Zebra, wanted: str | None = None) -> dict[str, list[Clue]]:
    """Return the clues in the orders of Table 7.5, and in one more.

    Args:
        puzzle: The puzzle.
        wanted: The property that is asked for, such as "Zebra": heuristic 3 prefers clues about its attribute.

    Returns:
        "original"; "heuristics 1 and 2": house numbers first, neighbours last; "heuristics 1, 2 and 3": within these,
        clues that mention the attribute of what is asked for first; "connected": always the clue with the fewest
        properties that no clue before it has placed, house numbers first.
    """
    asked = wanted or puzzle.attributes[-1].properties[-1]
    exclusive = next(set(attribute.properties) for attribute in puzzle.attributes if asked in attribute.properties)
    kind = {"at": 0, "same": 1, "not": 1, "next to": 2, "right of": 2}
    by_kind = sorted(puzzle.clues, key=lambda clue: kind[clue.relation])
    exclusive_first = sorted(by_kind, key=lambda clue: (kind[clue.relation], not {clue.one, clue.other} & exclusive))
    connected: list[Clue] = []
    placed: set[str | int] = set()
    left = list(puzzle.clues)
    while left:
        clue = min(left, key=lambda c: (len({c.one, c.other} - placed) - (c.relation == "at"), kind[c.relation]))
        left.remove(clue)
        connected.append(clue)
        placed |= {clue.one, clue.other}
    return {
        "original": list(puzzle.clues),
        "heuristics 1 and 2": by_kind,
        "heuristics 1, 2 and 3": exclusive_first,
        "connected": connected,
    }


def trace(puzzle: Zebra, clues: list[Clue]) -> Trace:
    """Search with the clues in an order; what no clue mentions fills the gaps at the end."""
    of = {word: k for k, attribute in enumerate(puzzle.attributes) for word in attribute.properties}
    houses: list[list[str | None]] = [[None] * len(puzzle.attributes) for _ in range(puzzle.houses)]
    where: dict[str, int] = {}
    attempts = 0

    def put(word: str, house: int) -> bool | None:
        """Unify a property with a house: True if it is new there, None if it was there, False if that fails."""
        if word in where:
            return None if where[word] == house else False
        if houses[house][of[word]] is not None:
            return False
        houses[house][of[word]], where[word] = word, house
        return True

    def places(clue: Clue) -> Iterator[tuple[int, int]]:
        last = puzzle.houses - 1
        if isinstance(clue.other, int):
            yield clue.other - 1, clue.other - 1
        elif clue.relation == "same":
            yield from ((i, i) for i in range(puzzle.houses))
        elif clue.relation == "right of":
            yield from ((i + 1, i) for i in range(last))
        elif clue.relation == "next to":
            yield from ((i, i + 1) for i in range(last))
            yield from ((i + 1, i) for i in range(last))
        else:
            yield from ((i, j) for i in range(puzzle.houses) for j in range(puzzle.houses) if i != j)

    def place(goals: list[tuple[list[str], list[tuple[int, int]]]], position: int) -> bool:
        nonlocal attempts
        if position == len(goals):
            return True
        words, ways = goals[position]
        for way in ways:
            attempts += 1
            new: list[str] = []
            fits = True
            for word, house in zip(words, way, strict=False):
                state = put(word, house)
                fits = state is not False
                if state:
                    new.append(word)
                if not fits:
                    break
            if fits and place(goals, position + 1):
                return True
            for word in new:
                houses[where.pop(word)][of[word]] = None
        return False

    goals = [([clue.one, *([clue.other] if isinstance(clue.other, str) else [])], list(places(clue))) for clue in clues]
    mentioned = {word for words, _ in goals for word in words}
    rest = [word for word in of if word not in mentioned]
    goals += [([word], [(i, i) for i in range(puzzle.houses)]) for word in rest]
    if not place(goals, 0):
        return Trace(attempts, None)
    order = sorted(where, key=where.__getitem__)
    return Trace(attempts, tuple(tuple(w for w in order if of[w] == k) for k in range(len(puzzle.attributes))))
