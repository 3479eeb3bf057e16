"""The exceptions of the evo room."""


class EvoError(ValueError):
    """What this room cannot do; the message is one line, and says what was found and what was expected."""


class ConfigError(EvoError):
    """A setting that cannot be: the message names the key, what was found and what was expected."""


class StoreError(EvoError):
    """A directory of results that cannot be read, written or gone on with: the message names the file."""
