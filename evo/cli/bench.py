"""The command about speed: bench."""

from __future__ import annotations


def bench() -> None:
    """Measure speed: scoring and the engine, beside numpy, a C reference where there is one, and stock DEAP.

    Takes about two minutes. Everything is measured in turns in one run, so that the ratios hold on a busy machine.

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
