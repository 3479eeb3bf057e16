"""How populations evolve: settings, the algorithms, DEAP toolboxes, the native engine; and the command line, `evo`."""

__version__ = "0.2.0"
