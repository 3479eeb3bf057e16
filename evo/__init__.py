"""How populations evolve; and the command line, `evo`."""

__version__ = "0.1.0"
