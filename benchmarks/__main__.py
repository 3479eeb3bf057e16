"""Runs every benchmark: `python -m benchmarks`."""

from benchmarks import engine, scoring


def main() -> None:
    """Run every benchmark."""
    scoring.main()
    engine.main()


if __name__ == "__main__":
    main()
