"""The exceptions of the evo room."""

from puzzles.errors import EvoError

__all__ = ["ConfigError", "EvoError", "StoreError"]


class ConfigError(EvoError):
    """A setting that cannot be used. The message names the key, what was found, and what was expected."""


class StoreError(EvoError):
    """A directory of results that cannot be read, written or resumed. The message names the file."""


class NoPuzzleError(ConfigError):
    """A search has no puzzle that it is usually run on, and none was named."""
