"""The command about speed: bench."""

from __future__ import annotations


def bench() -> None:
    """Measure speed beside numpy, stock DEAP and a C reference.

    It takes about two minutes. Programs are measured in turns in one run, so that the ratios hold on a busy machine.
    The C reference is used where its source and gcc are available.

    Example: evo bench
    """
    import sys
    from pathlib import Path

    import evo
    from evo.errors import ConfigError

    checkout = Path(evo.__file__).parents[1]
    if not (checkout / "benchmarks").is_dir():
        raise ConfigError("bench: the benchmarks are not installed with the package; run this in a source checkout")
    sys.path.insert(0, str(checkout))
    from benchmarks.__main__ import main

    main()
