"""A campaign of faults: `python -m benchmarks.soak [--minutes M | --faults N] [--seed S] [--cluster] [--record FILE]`.

Experiments with every algorithm of the registry are carried out again and again, and disturbed at random moments: on
this machine, or on a cluster of real Dask workers. One that has been disturbed until it was done must have the same
boards, traces and records as one that was not, and no driver may end with anything but success or one of the project's
own errors. The campaign stops at the first difference. As root it has more faults: a small disk that is full, and a
worker that is cut off from the network.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.disturbed import Campaign
from benchmarks.machine_faults import MachineFaults
from evo.experiments.machine import machine, versions

_SMALL_DISK = "size=32m"


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Make a folder a small file system of its own; yield whether that was possible."""
    command = ["mount", "-t", "tmpfs", "-o", _SMALL_DISK, "tmpfs", str(folder)]
    is_small = (
        sys.platform == "linux" and os.geteuid() == 0 and not subprocess.run(command, capture_output=True).returncode
    )
    try:
        yield is_small
    finally:
        if is_small:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def record_of(campaign: Campaign, seed: int, seconds: float) -> dict[str, object]:
    """Return what a campaign has done."""
    return {
        "campaign": type(campaign).__name__,
        "seed": seed,
        "algorithms": sorted({run.algorithm for plan in campaign.plans for run in plan.runs}),
        "experiments": campaign.experiments,
        "faults": dict(sorted(campaign.faults.items())),
        "total": campaign.faults.total(),
        "differences": 0,  # the first would have ended it
        "seconds": round(seconds),
        "versions": versions(),
        "machine": machine(),
    }


def main() -> None:
    """Carry out a campaign, and print its record or append it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--faults", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--algorithms", nargs="*", default=[])
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    began = time.monotonic()

    def is_enough(campaign: Campaign) -> bool:
        return bool(time.monotonic() > began + 60 * options.minutes or campaign.faults.total() >= options.faults)

    with tempfile.TemporaryDirectory() as name, small_disk(Path(name)) as is_small:
        campaign: Campaign
        if options.cluster:
            from benchmarks.cluster_faults import ClusterFaults

            campaign = cluster = ClusterFaults(Path(name), options.seed, options.algorithms)
            try:
                cluster.disturb(is_enough)
            finally:
                cluster.close()
        else:
            campaign = MachineFaults(Path(name), options.seed, options.algorithms, is_small=is_small)
            campaign.disturb(is_enough)
    found = json.dumps(record_of(campaign, options.seed, time.monotonic() - began))
    with contextlib.nullcontext(sys.stdout) if options.record is None else open(options.record, "a") as stream:
        print(found, file=stream)


if __name__ == "__main__":
    main()
