"""The one exception of the puzzles room."""


class PuzzleError(ValueError):
    """A puzzle, board, file or link that is not what it should be.

    The message says what was found, what was expected, and where (file, line, key or cell).
    """
