"""The command line. Everything heavy is imported inside the commands, so that each starts fast."""

from evo.cli.app import main

__all__ = ["main"]
