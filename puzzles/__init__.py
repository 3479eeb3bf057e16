"""Puzzles and boards: exact scoring, verification, file formats, a generator, and the Eternity II set."""

from puzzles.board import Board, Objectives
from puzzles.bundled import BOARDS, PUZZLES, bundled_board
from puzzles.census import Census, census
from puzzles.errors import EvoError, FileError, PuzzleError
from puzzles.files import load, load_board, load_boards
from puzzles.generator import STYLES, generate
from puzzles.hints import Hint
from puzzles.puzzle import Puzzle
from puzzles.saving import BOARD_FORMATS, PUZZLE_FORMATS, save
from puzzles.scoring import score_population
from puzzles.tiles import DOWN, EMPTY, GREY, LEFT, RIGHT, UP
from puzzles.verification import Report

__all__ = [
    "BOARDS",
    "BOARD_FORMATS",
    "DOWN",
    "EMPTY",
    "GREY",
    "LEFT",
    "PUZZLES",
    "PUZZLE_FORMATS",
    "RIGHT",
    "STYLES",
    "UP",
    "Board",
    "Census",
    "EvoError",
    "FileError",
    "Hint",
    "Objectives",
    "Puzzle",
    "PuzzleError",
    "Report",
    "bundled_board",
    "census",
    "generate",
    "load",
    "load_board",
    "load_boards",
    "save",
    "score_population",
]
