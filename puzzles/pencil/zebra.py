"""Zebra puzzles: who lives where, from statements about neighbours (chapter 7 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from puzzles.errors import PuzzleError
from puzzles.pencil.rules import Fault

RELATIONS = ("same", "at", "next to", "right of", "not")
"""What a clue can say: one house has both properties; a property is in a numbered house; the houses are neighbours; the
first property is immediately to the right of the second; no house has both."""
MAX_HOUSES, MAX_ATTRIBUTES, MAX_CLUES, MAX_NAME = 20, 20, 1000, 60

Table = tuple[tuple[str, ...], ...]
"""A solution: for each attribute, the properties of the houses from left to right."""


class Clue(NamedTuple):
    """A statement about a property and another one, or a house number counted from 1."""

    relation: str
    one: str
    other: str | int

    def __str__(self) -> str:
        return f"{self.relation}: {self.one}, {self.other}"


class Attribute(NamedTuple):
    """An attribute, such as the colour, and its properties, one for each house."""

    name: str
    properties: tuple[str, ...]


@dataclass(frozen=True)
class Zebra:
    """A Zebra puzzle.

    Attributes:
        attributes: What the houses have; each has as many properties as there are houses.
        clues: The statements.
        name: What the puzzle is called; it plays no part in comparisons.
    """

    attributes: tuple[Attribute, ...]
    clues: tuple[Clue, ...]
    name: str = field(default="", compare=False)
    kind: ClassVar[str] = "zebra"

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", tuple(Attribute(a[0], tuple(a[1])) for a in self.attributes))
        if not 1 <= len(self.attributes) <= MAX_ATTRIBUTES:
            raise PuzzleError(f"found {len(self.attributes)} attributes; expected 1 to {MAX_ATTRIBUTES}")
        if not 1 <= self.houses <= MAX_HOUSES:
            raise PuzzleError(f"found {self.houses} houses; expected 1 to {MAX_HOUSES}")
        names = [attribute.name.lower() for attribute in self.attributes]
        if len(set(names)) < len(names) or set(names) & set(RELATIONS):
            raise PuzzleError(f"the attributes need different names, and none of {', '.join(RELATIONS)}")
        known: dict[str, str] = {}
        for name, properties in self.attributes:
            if len(properties) != self.houses:
                raise PuzzleError(f"{name}: found {len(properties)} properties for {self.houses} houses")
            for word in (name, *properties):
                if (
                    not 0 < len(word) <= MAX_NAME
                    or not word.isprintable()
                    or set(word) & set(",:#")
                    or word != word.strip()
                ):
                    raise PuzzleError(f"{word[:MAX_NAME]!r} is not a name: it is empty, too long, or has one of , : #")
            for word in properties:
                if word.lower() in known:
                    relations = ", ".join(RELATIONS)
                    raise PuzzleError(f"{name}: the property {word!r} appears twice; clues begin with {relations}")
                known[word.lower()] = word
        if len(self.clues) > MAX_CLUES:
            raise PuzzleError(f"found {len(self.clues)} clues; expected at most {MAX_CLUES}")
        object.__setattr__(self, "clues", tuple(self._checked(Clue(*clue), known) for clue in self.clues))

    def _checked(self, clue: Clue, known: dict[str, str]) -> Clue:
        """Return a clue with the properties spelt as in the attributes."""
        if clue.relation not in RELATIONS:
            raise PuzzleError(f"unknown relation {clue.relation!r}; expected one of {', '.join(RELATIONS)}")
        if (clue.relation == "at") != isinstance(clue.other, int):
            raise PuzzleError(f"{clue}: 'at' takes a house number, and the other relations a property")
        if isinstance(clue.other, int) and not 1 <= clue.other <= self.houses:
            raise PuzzleError(f"{clue}: there is no house {clue.other}; expected 1 to {self.houses}")
        for word in (clue.one, clue.other):
            if isinstance(word, str) and word.lower() not in known:
                raise PuzzleError(f"{clue.relation}: unknown property {word[:MAX_NAME]!r}")
        one = known[clue.one.lower()]
        other = known[clue.other.lower()] if isinstance(clue.other, str) else clue.other
        if one == other:
            raise PuzzleError(f"{clue}: the two properties are the same")
        return Clue(clue.relation, one, other)

    @property
    def houses(self) -> int:
        """The number of houses."""
        return len(self.attributes[0].properties)

    def _repr_html_(self) -> str:
        from puzzles.pencil.pictures import svg

        return svg(self)


def holds(clue: Clue, house: dict[str, int]) -> bool:
    """Return whether a clue is true; `house` gives the house of each property, counted from 1."""
    one = house[clue.one]
    other = clue.other if isinstance(clue.other, int) else house[clue.other]
    if clue.relation in ("same", "at"):
        return one == other
    if clue.relation == "next to":
        return abs(one - other) == 1
    if clue.relation == "right of":
        return one == other + 1
    return one != other


def check(puzzle: Zebra, solution: Sequence[Sequence[str]]) -> Fault | None:
    """Return the first rule or clue that a table breaks, or None if it solves the puzzle."""
    if len(solution) != len(puzzle.attributes):
        return Fault("the table", f"has {len(solution)} attributes; expected {len(puzzle.attributes)}")
    house: dict[str, int] = {}
    for attribute, row in zip(puzzle.attributes, solution, strict=True):
        if sorted(row) != sorted(attribute.properties):
            return Fault(attribute.name, "the houses do not have each of the properties once")
        house.update({word: number for number, word in enumerate(row, start=1)})
    for number, clue in enumerate(puzzle.clues, start=1):
        if not holds(clue, house):
            return Fault(f"clue {number}", f"'{clue}' does not hold")
    return None


LIFE_1962 = Zebra(
    (
        Attribute("Colour", ("Blue", "Green", "Ivory", "Red", "Yellow")),
        Attribute("Nationality", ("Englishman", "Japanese", "Norwegian", "Spaniard", "Ukrainian")),
        Attribute("Drink", ("Coffee", "Milk", "Orange Juice", "Tea", "Water")),
        Attribute("Cigarette", ("Chesterfields", "Kools", "Lucky Strike", "Parliaments", "Old Gold")),
        Attribute("Pet", ("Dog", "Fox", "Horse", "Snails", "Zebra")),
    ),
    (
        Clue("same", "Englishman", "Red"),
        Clue("same", "Spaniard", "Dog"),
        Clue("same", "Coffee", "Green"),
        Clue("same", "Ukrainian", "Tea"),
        Clue("right of", "Green", "Ivory"),
        Clue("same", "Old Gold", "Snails"),
        Clue("same", "Kools", "Yellow"),
        Clue("at", "Milk", 3),
        Clue("at", "Norwegian", 1),
        Clue("next to", "Chesterfields", "Fox"),
        Clue("next to", "Kools", "Horse"),
        Clue("same", "Lucky Strike", "Orange Juice"),
        Clue("same", "Japanese", "Parliaments"),
        Clue("next to", "Norwegian", "Blue"),
    ),
    "Life International, 1962",
)
"""The puzzle of the paper, with its clues in the paper's order."""
