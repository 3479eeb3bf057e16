"""The command about speed: bench."""

from __future__ import annotations


def bench() -> None:
    """Measure speed: scoring and the engine, beside numpy, a C reference where there is one, and stock DEAP.

    Takes about two minutes. Everything is measured in turns in one run, so that the ratios hold on a busy machine.

    Example: evo bench
    """
    from benchmarks.__main__ import main

    main()
