"""The exceptions of the puzzles room, and the base class of all exceptions of the project."""


class EvoError(ValueError):
    """The base class of every error that the project raises on purpose.

    The message is one line that names the file, line or key, what was found, and what was expected.
    """


class FileError(EvoError):
    """A file that cannot be read or written. The message does not name the file; the caller does."""


class PuzzleError(EvoError):
    """A puzzle, board, file or link that is not what it should be."""
