"""The exceptions of the puzzles room, and the base class of all exceptions of the project."""


class EvoError(ValueError):
    """The base class of every error that the project raises on purpose.

    The message is one line that names the file, line or key, what was found, and what was expected.
    """


class FileError(EvoError):
    """A file cannot be read or written. The code that raises it leaves naming the file to `puzzles.file_io.naming`."""


class PuzzleError(EvoError):
    """A puzzle, a board, or the file or link that describes one, is invalid."""
