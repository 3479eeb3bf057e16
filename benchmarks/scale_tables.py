"""The tables and the picture of docs/scale.md, from its records: `python -m benchmarks.scale_tables`.

The page is rewritten between its marks; the records are docs/scale.jsonl, docs/scale_commands.jsonl, docs/soak.jsonl
and docs/mutated_inputs.jsonl, to which the benchmarks append.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, StrMethodFormatter

from evo.experiments.dask_workers import (
    DASK_SLICE_SECONDS,
    DRIVER_SHARE,
    LONGEST_SLICE_SECONDS,
    WHOLE_BYTES,
    WHOLE_SECONDS,
)
from plots.style import printed, save_picture

DOCS = Path(__file__).parents[1] / "docs"
_STATE = 5.12e6
"""The bytes of a state of 10,000 boards of Eternity II."""
_SMALL = 15e3
"""The bytes of a task and of the outcome of a slice without a state."""
_HOPS = 2
"""What goes between a worker and the driver passes the scheduler."""
_END = "\n\n<!-- end -->"
_MODELLED = (10, 100, 1_000, 3_000, 10_000)

Line = dict[str, Any]


def read(name: str) -> list[Line]:
    """Return the lines of a record; none if there is no such record yet."""
    path = DOCS / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown, whose columns but the first are numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def of_clusters() -> list[Line]:
    """Return the last measurement of each version, number of workers and number of runs."""
    last = {(line["version"], line["workers"], line["runs"]): line for line in read("scale.jsonl") if line["slices"]}
    return [last[key] for key in sorted(last)]


def clusters() -> str:
    """Return the table of simulated clusters."""
    head = [
        "version",
        "workers",
        "runs",
        "slices/s",
        "MB a slice",
        "MB/s",
        "driver, ms a slice",
        "scheduler, ms a slice",
    ]
    return table(
        [*head, "cores of both", "delay, s", "start, s", "stop, s"],
        [
            [
                line["version"],
                f"{line['workers']:,}",
                f"{line['runs']:,}",
                f"{line['slices_per_second']:.2f}",
                f"{line['bytes_per_slice'] / 1e6:.2f}",
                f"{line['bytes_per_second'] / 1e6:.1f}",
                f"{line['driver_ms']:.1f}",
                f"{line['scheduler_ms']:.1f}",
                f"{line['driver_share'] + line['scheduler_share']:.2f}",
                f"{line['delay_median']:.1f}",
                f"{line['create_seconds'] + line['start_seconds']:.0f}",
                f"{line['stop_seconds']:.0f}",
            ]
            for line in of_clusters()
        ],
    )


def model() -> str:
    """Return what the cost model gives, with the milliseconds of the newest measurement with the most workers."""
    most = max(of_clusters(), key=lambda line: (line["version"], line["workers"], line["runs"]))
    driver, scheduler = most["driver_ms"] / 1000, most["scheduler_ms"] / 1000
    rows = []
    for workers in _MODELLED:
        length = min(LONGEST_SLICE_SECONDS, max(DASK_SLICE_SECONDS, workers * driver / DRIVER_SHARE))
        apart = max(WHOLE_SECONDS, workers * _STATE / WHOLE_BYTES)
        rate = workers / length
        bytes_a_second = _HOPS * (rate * _SMALL + workers * _STATE / apart)
        rows.append(
            [
                f"{workers:,}",
                f"{length:.0f}",
                f"{rate:.1f}",
                f"{rate * driver:.2f}",
                f"{rate * scheduler:.2f}",
                f"{bytes_a_second / 1e6:.1f}",
                f"{apart:,.0f}",
            ]
        )
    head = ["workers", "slice, s", "slices/s", "cores of the driver", "cores of the scheduler", "MB/s"]
    return table([*head, "s between two states"], rows)


def commands() -> str:
    """Return the table of the commands about a large experiment, as last measured."""
    last = {(line["runs"], line["command"]): line for line in read("scale_commands.jsonl")}
    return table(
        ["command", "runs", "CPU s", "memory, MB"],
        [[name, f"{runs:,}", f"{line['cpu_seconds']:.1f}", line["memory_mb"]] for (runs, name), line in last.items()],
    )


def faults() -> str:
    """Return the table of the campaigns of faults."""
    counts: dict[str, Counter[str]] = {}
    for line in read("soak.jsonl"):
        counts.setdefault(line["campaign"], Counter()).update(line["faults"])
    names = {"MachineFaults": "one machine", "ClusterFaults": "cluster"}
    rows = [
        [f"{names[kind]}: {name}", f"{count:,}"] for kind, of in counts.items() for name, count in sorted(of.items())
    ]
    total = sum(of.total() for of in counts.values())
    differences = sum(line["differences"] for line in read("soak.jsonl"))
    return table(["fault", "times"], [*rows, ["all", f"{total:,}"], ["runs that ended differently", differences]])


def inputs() -> str:
    """Return the table of mutated inputs."""
    counts: Counter[str] = Counter()
    broken = 0
    for line in read("mutated_inputs.jsonl"):
        counts.update(line["counts"])
        broken += sum(line["broken"].values())
    readers = sorted({name.partition(": ")[0] for name in counts})
    rows = [[name, f"{counts[f'{name}: accepted']:,}", f"{counts[f'{name}: refused']:,}"] for name in readers]
    sums = [f"{sum(counts[f'{name}: {what}'] for name in readers):,}" for what in ("accepted", "refused")]
    return table(["reader", "read", "refused"], [*rows, ["all", *sums], ["anything else", broken, ""]])


TABLES: dict[str, Callable[[], str]] = {
    "clusters": clusters,
    "model": model,
    "commands": commands,
    "faults": faults,
    "inputs": inputs,
}


def rewritten(page: str) -> str:
    """Return the page with all tables made anew."""
    for name, make in TABLES.items():
        before, mark, after = page.partition(f"<!-- {name} -->\n\n")
        page = before + mark + make() + after[after.index(_END) :]
    return page


@printed
def draw() -> Figure:
    """Draw the milliseconds and the bytes of a slice over the number of workers, before and after."""
    figure = Figure(figsize=(8, 3.2), layout="constrained")
    costs, traffic = figure.subplots(1, 2)
    for version in sorted({line["version"] for line in of_clusters()}):
        least = {line["workers"]: line for line in reversed(of_clusters()) if line["version"] == version}
        found = [least[workers] for workers in sorted(least)]
        workers = [line["workers"] for line in found]
        costs.plot(workers, [line["driver_ms"] + line["scheduler_ms"] for line in found], "o-", label=version)
        traffic.plot(workers, [line["bytes_per_slice"] / 1e6 for line in found], "o-", label=version)
    costs.set_ylabel("driver and scheduler, CPU ms a slice")
    traffic.set_ylabel("MB a slice")
    for axes in (costs, traffic):
        axes.set_xscale("log")
        axes.set_xticks(sorted({line["workers"] for line in of_clusters()}))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_ylim(bottom=0)
        axes.set_xlabel("workers")
    costs.legend(title="version")
    return figure


def main() -> None:
    """Rewrite the page and draw the picture."""
    page = DOCS / "scale.md"
    page.write_text(rewritten(page.read_text()))
    save_picture(draw(), DOCS / "images" / "scale.svg", force=True)


if __name__ == "__main__":
    main()
