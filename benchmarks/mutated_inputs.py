"""Mutated inputs for all readers: `python -m benchmarks.mutated_inputs [--inputs N] [--seed S] [--readers NAME...]`.

Valid files of every kind are damaged at random, and read. A reader must return something or raise one of the project's
own errors. Anything else is printed with the input, and the exit status is 1. Prints a record of the counts as JSON.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evo.analysis.external_results import read_foreign
from evo.errors import EvoError, StoreError
from evo.experiments import checkpoint, trace
from evo.experiments.driver import make_task
from evo.experiments.experiment import run_experiment
from evo.experiments.machine import versions
from evo.experiments.plan import make_plan
from evo.experiments.slices import run_slice, standing
from evo.experiments.store import Store
from puzzles import files, generate, load_board
from puzzles.pencil import files as pencil_files
from puzzles.saving import BOARD_FORMATS, PUZZLE_FORMATS, encode

_TOKENS = (
    *(b"-1", b"0", b"99999999999999999999", b"nan", b"inf", b"-inf", b"1e400", b"null", b"true", b"[]", b"{}", b'""'),
    *(
        b'"',
        b"\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b",",
        b"=",
        b"&",
        b"#",
        b"[[",
        b"]",
        b"{",
        b"'",
        b"%",
        b"\xcc\x81",
    ),
)
_MEMORY = 6 * 2**30
_BARE = "text"
"""A format of boards without their puzzle, which is then Eternity II."""
_PENCIL = (
    "3............2..\n",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
    '{"problem": "3............2.."}\n',
)
_SUITE = """
name = "mine"
runs = 2
seed = 3
evaluations = 50_000

[[rows]]
extends = "GA_1"
init = ["random", "knowledge"]
repair = { size = 5, moves = 4, share = 0.5 }

[[rows]]
name = "tabu"
algorithm = "TABU"
seconds = 1.5
"""
_FOREIGN = "setting,init,fitness,run,best_score,seconds\nmine,random,normal,1,400,3.5\nmine,random,normal,2,401,4.5\n"


class Reader(NamedTuple):
    """A reader, and valid inputs for it."""

    read: Callable[[bytes], object]
    valid: list[bytes]


def mutated(valid: list[bytes], rng: np.random.Generator) -> bytes:
    """Return a valid input with one to four damages."""
    data = bytearray(valid[rng.integers(len(valid))])
    for _ in range(min(4, rng.geometric(0.6))):
        at = int(rng.integers(len(data) + 1))
        end = min(len(data), at + int(rng.geometric(0.1)))
        kind = rng.integers(7)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 1 and at < len(data):
            data[at] = int(rng.integers(256))
        elif kind == 2:
            del data[at:end]
        elif kind == 3:
            data[at:at] = data[at:end] * int(rng.integers(1, 4))
        elif kind == 4:
            data[at:end] = _TOKENS[rng.integers(len(_TOKENS))]
        elif kind == 5:
            other = valid[rng.integers(len(valid))]
            data[at:end] = other[int(rng.integers(len(other) + 1)) :][: int(rng.geometric(0.02))]
        else:
            del data[at:]
    return bytes(data)


def readers(folder: Path) -> dict[str, Reader]:
    """Return the readers, with experiments and files in a folder."""
    puzzle, board = generate(6, 6, 3, 6, 1, hints=2)
    puzzles, boards = [puzzle, files.load("eternity2")], [board, load_board("blackwood470")]
    small = run_experiment(["RAND", "TABU"], evaluations=2_000, puzzle=puzzle, out=folder / "out").directory
    store = Store(small)
    return {
        "puzzles": Reader(
            lambda data: files.parse(data, "x"), [encode(one, kind) for one in puzzles for kind in PUZZLE_FORMATS]
        ),
        "boards": Reader(
            lambda data: files.parse(data, "x"),
            [
                encode(one, kind)
                for one in boards
                for kind in BOARD_FORMATS
                if "url" not in kind and (one is not board or kind != _BARE)
            ],
        ),
        "links": Reader(
            lambda data: files.parse(data, "x"),
            [encode(one, kind) for one in boards for kind in BOARD_FORMATS if "url" in kind],
        ),
        "pencil puzzles": Reader(
            lambda data: pencil_files.parse(data.decode("utf-8", "replace")), [one.encode() for one in _PENCIL]
        ),
        "settings": Reader(
            _on_file(folder / "suite.toml", lambda path: make_plan([str(path)], puzzle=puzzle)), [_SUITE.encode()]
        ),
        "CSV of other programs": Reader(_on_file(folder / "foreign.csv", read_foreign), [_FOREIGN.encode()]),
        "traces": Reader(_read_trace, [store.file(run, "trace.csv").read_bytes() for run in store.runs]),
        "checkpoints": Reader(*_checkpoints(store)),
        "stores": Reader(*_stores(store)),
    }


def _on_file(path: Path, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    def written(data: bytes) -> object:
        path.write_bytes(data)
        return read(path)

    return written


def _read_trace(data: bytes) -> object:
    """Read a trace in both ways, which must agree."""
    text = data.decode("utf-8", "replace")
    found: list[object] = []
    for read in (trace.parse, trace.parse_rows):
        try:
            found.append(np.array(read(text), dtype=np.float64).reshape(-1, len(trace.Point._fields)).tobytes())
        except StoreError as error:
            found.append(str(error))
    assert found[0] == found[1], "the two readers of traces differ"
    return found


def _checkpoints(store: Store) -> tuple[Callable[[bytes], object], list[bytes]]:
    """Return a reader of checkpoints whose checksum is made right, so that more of them is read."""
    tasks = [make_task(store, run) for run in store.runs]
    states = [run_slice(task, None, 0.0).state for task in tasks]
    valid = [state for state in states if isinstance(state, bytes)]
    start = valid[0].index(b"\n") + 66

    def read(data: bytes) -> object:
        body = data[start:]
        signed = data[: start - 65] + hashlib.sha256(body).hexdigest().encode() + b"\n" + body
        task = next((task for task in tasks if task.key.encode() in body), tasks[0])
        checkpoint.decode(signed)
        return standing(task, signed)

    return read, valid


def _stores(store: Store) -> tuple[Callable[[bytes], object], list[bytes]]:
    """Return a reader of whole experiments, in which one file is mutated: the one that begins like it."""
    run = store.runs[0]
    paths = [
        store.path / "experiment.json",
        store.path / "puzzle.json",
        store.file(run, "run.json"),
        store.file(run, "board.json"),
    ]
    valid = [path.read_bytes() for path in paths]

    def read(data: bytes) -> object:
        from evo.experiments.frames import results, traces

        name, _, content = data.partition(b"|")
        path = paths[int(name) % len(paths)] if name.isdigit() else paths[0]
        whole = path.read_bytes()
        path.write_bytes(content)
        try:
            here = Store(store.path)
            return results(here), traces(here), here.puzzle, [here.board(one) for one in here.runs]
        finally:
            path.write_bytes(whole)

    return read, [b"%d|%s" % (number, content) for number, content in enumerate(valid)]


def inputs(chosen: dict[str, Reader], count: int, rng: np.random.Generator) -> Iterator[tuple[str, Reader, bytes]]:
    """Yield mutated inputs, for one reader after another."""
    names = list(chosen)
    for number in range(count):
        name = names[number % len(names)]
        yield name, chosen[name], mutated(chosen[name].valid, rng)


def campaign(found: Iterable[tuple[str, Reader, bytes]]) -> tuple[Counter[str], Counter[str], float]:
    """Read inputs; return how many each reader accepted, refused and broke at, and the seconds of the slowest."""
    counts: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    slowest = 0.0
    for name, reader, data in found:
        began = time.process_time()
        try:
            reader.read(data)
            counts[f"{name}: accepted"] += 1
        except EvoError as error:
            counts[f"{name}: refused"] += 1
            if "\n" in str(error):
                broken[f"{name}: a message of several lines: {str(error)[:200]!r}"] += 1
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{name}: {type(error).__name__}: {str(error)[:100]} ({Path(where.filename).name}:{where.lineno})"
            if not broken[key]:
                print(key, data[:3000], file=sys.stderr, flush=True)
            broken[key] += 1
        slowest = max(slowest, time.process_time() - began)
    return counts, broken, slowest


def main() -> None:
    """Carry out a campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--readers", nargs="*", default=[])
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        chosen = {name: one for name, one in readers(Path(folder)).items() if name in (options.readers or [name])}
        for one in chosen.values():
            for valid in one.valid:
                one.read(valid)
        counts, broken, slowest = campaign(inputs(chosen, options.inputs, np.random.default_rng(options.seed)))
    record = {
        "seed": options.seed,
        "inputs": options.inputs,
        "counts": dict(sorted(counts.items())),
        "broken": dict(broken),
        "slowest_seconds": round(slowest, 2),
        "versions": versions(),
    }
    print(json.dumps(record, indent=1))
    if options.record is not None:
        with open(options.record, "a") as stream:
            print(json.dumps(record), file=stream)
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
