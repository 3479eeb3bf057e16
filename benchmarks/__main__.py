"""Runs every benchmark: `python -m benchmarks`."""

from benchmarks import scoring

if __name__ == "__main__":
    scoring.main()
