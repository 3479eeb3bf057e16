"""The puzzles of the daily paper: Sudoku, Battleship, Circuit Board, Hashi, Zebra; their rules, texts and pictures.

A puzzle is an immutable value that validates itself; a solution is a plain value: a matrix of numbers or cell types, a
set of lines, a tuple of bridges, a table of names. No solver is here: those are in `solvers.pencil`.
"""

from __future__ import annotations

from typing import Any

from puzzles.errors import PuzzleError
from puzzles.pencil import battleship, circuit, hashi, sudoku, zebra
from puzzles.pencil.battleship import Battleship
from puzzles.pencil.circuit import Circuit
from puzzles.pencil.files import KINDS, Reading, load, parse
from puzzles.pencil.formats import read_solution, write, write_solution, writers
from puzzles.pencil.hashi import Bridge, Hashi, Island
from puzzles.pencil.pictures import svg, text
from puzzles.pencil.rules import Fault
from puzzles.pencil.sudoku import Sudoku
from puzzles.pencil.task import Filling, PencilTask
from puzzles.pencil.zebra import Attribute, Clue, Zebra

__all__ = [
    "KINDS",
    "Attribute",
    "Battleship",
    "Bridge",
    "Circuit",
    "Clue",
    "Fault",
    "Filling",
    "Hashi",
    "Island",
    "PencilPuzzle",
    "PencilTask",
    "Reading",
    "Sudoku",
    "Zebra",
    "check",
    "load",
    "parse",
    "read_solution",
    "svg",
    "text",
    "write",
    "write_solution",
    "writers",
]

PencilPuzzle = Sudoku | Battleship | Circuit | Hashi | Zebra


def check(puzzle: PencilPuzzle, solution: Any) -> Fault | None:
    """Return the first rule that a solution breaks and its place, or None if it solves the puzzle.

    Raises:
        PuzzleError: This is not a pencil puzzle.
    """
    match puzzle:
        case Sudoku():
            return sudoku.check(puzzle, solution)
        case Battleship():
            return battleship.check(puzzle, solution)
        case Circuit():
            return circuit.check(puzzle, solution)
        case Hashi():
            return hashi.check(puzzle, solution)
        case Zebra():
            return zebra.check(puzzle, solution)
    raise PuzzleError(f"expected a pencil puzzle; found {type(puzzle).__name__}")
