"""Faults of a cluster: workers that are killed, stopped or cut off, and a scheduler that is killed and started again.

The scheduler and the workers are real ones of Dask, forked from this process. Where this process may make network
namespaces (as root on Linux), one of the workers is on a network of its own, which can be cut off.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import os
import shutil
import signal
import socket
import subprocess
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import dask
from distributed import Scheduler, Worker

from benchmarks.disturbed import REFUSED, Campaign, forked
from evo.experiments import clusters, dask_workers

_WORKERS = 3
_LOST_AFTER = 2.0
"""The seconds of silence after which the scheduler gives up a worker."""
_CONNECT = 3.0
"""The seconds after which a driver or a worker gives up a scheduler."""
_NETWORK_NAMESPACE = 0x40000000
"""CLONE_NEWNET of Linux."""


class Network:
    """A network namespace that is joined to that of this process by a pair of virtual devices."""

    here, there = "10.213.77.1", "10.213.77.2"

    def __init__(self) -> None:
        self._name, self._device = f"evo-soak-{os.getpid()}", f"evo{os.getpid()}"
        self._do("netns", "add", self._name)
        self._do("link", "add", self._device, "type", "veth", "peer", "name", "eth0", "netns", self._name)
        self._do("addr", "add", f"{self.here}/30", "dev", self._device)
        self._do("link", "set", self._device, "up")
        self._do("addr", "add", f"{self.there}/30", "dev", "eth0", inside=True)
        for device in ("lo", "eth0"):
            self._do("link", "set", device, "up", inside=True)

    def enter(self) -> None:
        """Move this process into the namespace."""
        with open(f"/run/netns/{self._name}") as file:
            if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), _NETWORK_NAMESPACE):
                raise OSError(ctypes.get_errno(), "setns")

    def cut(self) -> None:
        """Cut the connection."""
        self._do("link", "set", "eth0", "down", inside=True)

    def mend(self) -> None:
        """Restore the connection."""
        self._do("link", "set", "eth0", "up", inside=True)

    def close(self) -> None:
        """Remove the namespace and the devices."""
        self._do("netns", "del", self._name)

    def _do(self, *command: str, inside: bool = False) -> None:
        where = ("-n", self._name) if inside else ()
        subprocess.run(["ip", *where, *command], check=True, capture_output=True)

    @classmethod
    def made(cls) -> Network | None:
        """Return a network, or None if this process may not make one."""
        if os.geteuid() != 0 or shutil.which("ip") is None:
            return None
        with contextlib.suppress(subprocess.CalledProcessError):
            return cls()
        return None


class ClusterFaults(Campaign):
    """Disturbs experiments on a cluster; the arguments are those of `Campaign`."""

    def __init__(self, folder: Path, seed: int, only: Sequence[str] = ()) -> None:
        super().__init__(folder, seed, only)
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        warnings.simplefilter("ignore")  # of workers that find no network
        dask.config.set(
            {
                "distributed.scheduler.worker-ttl": f"{_LOST_AFTER} s",
                "distributed.comm.timeouts.connect": f"{_CONNECT} s",
                "distributed.admin.event-loop-monitor-interval": "1 s",
                "temporary_directory": str(folder / "scratch"),
            }
        )
        dask_workers.DASK_SLICE_SECONDS, dask_workers.DRIVER_SHARE, dask_workers.WHOLE_SECONDS = 0.02, 1000.0, 0.5
        clusters._TIMEOUT = "5s"
        self.network = Network.made()
        self._host = self.network.here if self.network else "127.0.0.1"
        with socket.create_server((self._host, 0)) as server:
            self._port = server.getsockname()[1]
        self._address = f"tcp://{self._host}:{self._port}"
        self._scheduler = 0
        self._workers = [0] * _WORKERS
        self._kinds: dict[str, Callable[[], None]] = {
            "worker killed": self.kill_worker,
            "worker stopped": self.stop_worker,
            "scheduler killed": self.kill_scheduler,
        } | ({"worker cut off": self.cut_off} if self.network else {})

    def disturb_once(self, directory: Path, needed: float) -> None:
        """Carry out an experiment for some time, with as many faults as happen until its driver ends."""
        self.refill()
        child = self.begin(directory, dask=self._address)
        end = time.monotonic() + 300
        while not _has_ended(child):
            time.sleep(self.rng.uniform(0, 2.0))
            self.refill()
            name = str(self.rng.choice([*self._kinds, "driver killed"]))
            if _has_ended(child):
                break
            self.faults[name] += 1
            if name == "driver killed":
                os.kill(child, signal.SIGKILL)
                break
            self._kinds[name]()
            if time.monotonic() > end:
                raise TimeoutError(f"{directory}: a driver does not end")
        self.end(child, directory, (0, REFUSED, -signal.SIGKILL))

    def refill(self) -> None:
        """Start what does not run: the scheduler, and the workers that have ended."""
        if not self._scheduler or _reaped(self._scheduler):
            self._scheduler = forked(self._be_scheduler)
        for number, worker in enumerate(self._workers):
            if not worker or _reaped(worker):
                self._workers[number] = forked(partial(self._be_worker, self.network if number == 0 else None))

    def kill_worker(self) -> None:
        """Kill a worker."""
        os.kill(self._some_worker(), signal.SIGKILL)

    def stop_worker(self) -> None:
        """Stop a worker, for longer than the scheduler waits for it or shorter."""
        worker = self._some_worker()
        os.kill(worker, signal.SIGSTOP)
        time.sleep(self.rng.uniform(0, 2 * _LOST_AFTER))
        os.kill(worker, signal.SIGCONT)

    def cut_off(self) -> None:
        """Cut off the worker that is on a network of its own, for longer than the scheduler waits for it or shorter."""
        assert self.network is not None
        self.network.cut()
        time.sleep(self.rng.uniform(0, 2 * _LOST_AFTER))
        self.network.mend()

    def kill_scheduler(self) -> None:
        """Kill the scheduler, and start another one at its address, at once or after some time."""
        os.kill(self._scheduler, signal.SIGKILL)
        os.waitpid(self._scheduler, 0)
        time.sleep(self.rng.choice([0.0, self.rng.uniform(0, 2 * _CONNECT)]))
        self._scheduler = forked(self._be_scheduler)

    def close(self) -> None:
        """Stop the cluster."""
        for process in [*self._workers, self._scheduler]:
            if process and not _reaped(process):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
        if self.network is not None:
            self.network.close()

    def _some_worker(self) -> int:
        return self._workers[int(self.rng.integers(_WORKERS))]

    def _be_scheduler(self) -> int:
        async def run() -> None:
            async with Scheduler(host=self._host, port=self._port, dashboard=False, dashboard_address=":0") as one:
                await one.finished()

        asyncio.run(run())
        return 0

    def _be_worker(self, network: Network | None) -> int:
        host = self._host
        if network is not None:
            network.enter()
            host = network.there

        async def run() -> None:
            worker = Worker(self._address, nthreads=1, memory_limit=0, dashboard=False, host=host, death_timeout=30)
            async with worker as one:
                await one.finished()

        with contextlib.suppress(Exception):  # a worker that finds no scheduler ends, and another one is started
            asyncio.run(run())
        return 0


def _has_ended(process: int) -> bool:
    """Return whether a child process has ended; it can be waited for after that too."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _reaped(process: int) -> bool:
    """Return whether a child process has ended, and forget it if so."""
    return os.waitpid(process, os.WNOHANG)[0] == process
