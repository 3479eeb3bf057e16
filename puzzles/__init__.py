"""Puzzles and boards: exact scoring, verification, file formats, a generator, and the Eternity II set."""

from typing import TYPE_CHECKING

from puzzles.lazy_names import lazy_names

if TYPE_CHECKING:  # the one list of public names; `lazy_names` reads it from this file
    from puzzles.block_census import Census as Census
    from puzzles.block_census import census as census
    from puzzles.board import Board as Board
    from puzzles.board import Objectives as Objectives
    from puzzles.bundled import BOARDS as BOARDS
    from puzzles.bundled import PUZZLES as PUZZLES
    from puzzles.bundled import bundled_board as bundled_board
    from puzzles.errors import EvoError as EvoError
    from puzzles.errors import FileError as FileError
    from puzzles.errors import PuzzleError as PuzzleError
    from puzzles.files import load as load
    from puzzles.files import load_board as load_board
    from puzzles.files import load_boards as load_boards
    from puzzles.generator import STYLES as STYLES
    from puzzles.generator import generate as generate
    from puzzles.hints import Hint as Hint
    from puzzles.puzzle import Puzzle as Puzzle
    from puzzles.saving import BOARD_FORMATS as BOARD_FORMATS
    from puzzles.saving import PUZZLE_FORMATS as PUZZLE_FORMATS
    from puzzles.saving import save as save
    from puzzles.scoring import score_population as score_population
    from puzzles.tiles import DOWN as DOWN
    from puzzles.tiles import EMPTY as EMPTY
    from puzzles.tiles import GREY as GREY
    from puzzles.tiles import LEFT as LEFT
    from puzzles.tiles import RIGHT as RIGHT
    from puzzles.tiles import UP as UP
    from puzzles.verification import Report as Report

if not TYPE_CHECKING:  # type checkers would take any name for one that exists
    __all__, __getattr__, __dir__ = lazy_names(__name__)
