"""The one exception of the evo room."""


class ConfigError(ValueError):
    """A setting that cannot be: the message names the key, what was found and what was expected."""
