"""Runs the benchmarks of compiled code: `python -m benchmarks`; those of experiments are `jobs` and `answers`."""

from benchmarks import assignment, beam, engine, moves, scoring


def main() -> None:
    """Run them."""
    scoring.main()
    assignment.main()
    moves.main()
    beam.main()
    engine.main()


if __name__ == "__main__":
    main()
