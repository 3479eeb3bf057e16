"""Zebra puzzles as text: the project's own format.

The first line is `zebra`; then come the attributes with their properties, then the clues, in any order:

    zebra
    Colour: Red, Green
    Pet: Dog, Fox
    same: Red, Dog
    at: Red, 1

A clue begins with `same`, `at`, `next to`, `right of` or `not`. Lines that start with `#` are comments.
"""

from __future__ import annotations

from puzzles.errors import PuzzleError
from puzzles.formats.reading import shortened
from puzzles.pencil.zebra import MAX_ATTRIBUTES, MAX_CLUES, RELATIONS, Attribute, Clue, Table, Zebra

WRITERS = ("text",)
HEAD = "zebra"


def read(text: str, name: str = "") -> Zebra:
    """Read a puzzle."""
    attributes, clues = [], []
    for where, word, parts in _lines(text):
        if word.lower() not in RELATIONS:
            attributes.append(Attribute(word, tuple(parts)))
        elif len(parts) != 2:
            raise PuzzleError(f"{where}: a clue names two things, separated by a comma; found {len(parts)}")
        else:
            house = parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 4 and word.lower() == "at"
            clues.append(Clue(word.lower(), parts[0], int(parts[1]) if house else parts[1]))
    return Zebra(tuple(attributes), tuple(clues), name)


def write(puzzle: Zebra, format: str = "text") -> str:
    """Return the text of a puzzle."""
    return "\n".join(
        [HEAD, *(f"{a.name}: {', '.join(a.properties)}" for a in puzzle.attributes), *map(str, puzzle.clues)]
    )


def write_solution(puzzle: Zebra, solution: Table, format: str = "text") -> str:
    """Return a solution: a line for each attribute, with the properties of the houses from left to right."""
    rows = zip(puzzle.attributes, solution, strict=True)
    return "\n".join(f"{attribute.name}: {', '.join(row)}" for attribute, row in rows)


def read_solution(puzzle: Zebra, text: str) -> Table:
    """Read a solution; the attributes may be in any order."""
    found = {word: tuple(parts) for _, word, parts in _lines(f"{HEAD}\n{text}")}
    if set(found) != {attribute.name for attribute in puzzle.attributes}:
        raise PuzzleError(f"the solution must have a line for each of {', '.join(a.name for a in puzzle.attributes)}")
    return tuple(found[attribute.name] for attribute in puzzle.attributes)


def _lines(text: str) -> list[tuple[str, str, list[str]]]:
    found = []
    started = False
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.split("#")[0].strip()
        if not content:
            continue
        if not started:
            if content.lower() != HEAD:
                raise PuzzleError(f"line {number}: expected {HEAD!r}; found {shortened(content, 40)!r}")
            started = True
            continue
        word, colon, rest = content.partition(":")
        if not colon:
            raise PuzzleError(f"line {number}: expected 'Name: ...'; found {shortened(content, 40)!r}")
        found.append((f"line {number}", word.strip(), [part.strip() for part in rest.split(",")]))
        if len(found) > MAX_ATTRIBUTES + MAX_CLUES:
            raise PuzzleError(f"line {number}: there are more than {MAX_ATTRIBUTES + MAX_CLUES} attributes and clues")
    if not started:
        raise PuzzleError(f"expected a first line {HEAD!r}")
    return found
