"""What watching costs: a running experiment of 300 runs, alone and with fifty open pages.

    python -m benchmarks.live [SECONDS]

The experiment runs all the time. In turns it is left alone and watched: each reader keeps a stream of events open, and
asks for the page and its pictures again whenever the experiment has changed, as the page's script does.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from html import unescape
from pathlib import Path
from statistics import mean, quantiles

from evo.experiments.store import Store

READERS = 50
ROUNDS = 3
EVO = [sys.executable, "-c", "from evo.cli import main; main()"]


class Reader(threading.Thread):
    """One open page.

    Args:
        address: The address of the server.
        page: The path of the page.
    """

    def __init__(self, address: str, page: str) -> None:
        super().__init__(daemon=True)
        self._address, self._page = address.rstrip("/"), page
        self._seen: set[str] = set()
        self.took: list[float] = []
        """The seconds until each answer with a page."""

    def run(self) -> None:
        """Follow the events until the server is gone."""
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self._address}/events") as events:
            for line in events:
                if line.startswith(b"data:"):
                    self._look()

    def _look(self) -> None:
        began = time.monotonic()
        with urllib.request.urlopen(self._address + self._page) as answer:
            page = answer.read().decode()
        self.took.append(time.monotonic() - began)
        for source in re.findall(r'data-live src="([^"]+)"', page):
            if source not in self._seen:  # a browser keeps a picture that has not changed
                self._seen.add(source)
                with urllib.request.urlopen(self._address + unescape(source)) as picture:
                    picture.read()


def measure(seconds: float) -> None:
    """Print the speed of the experiment alone and watched, the memory of the server and the time of a page."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "runs"
        run = subprocess.Popen(
            [*EVO, "run", "table2", "--evaluations", "500000000", "--out", str(out), "--quiet"], start_new_session=True
        )
        try:
            while not out.exists() or sum(record.evaluations for _, record in Store(out).records()) == 0:
                time.sleep(1)
            alone, watched = [], []
            for _ in range(ROUNDS):
                alone.append(speed(out, seconds))
                watched.append(watched_speed(out, seconds))
        finally:
            run.terminate()
            run.wait()
    lost = 100 * (1 - mean(watched) / mean(alone))
    print(f"alone {mean(alone):,.0f} evaluations per second, watched {mean(watched):,.0f}: {lost:.1f} % lost")


def speed(out: Path, seconds: float) -> float:
    """Return the evaluations per second of an experiment during some seconds."""
    before, began = sum(record.evaluations for _, record in Store(out).records()), time.monotonic()
    time.sleep(seconds)
    after = sum(record.evaluations for _, record in Store(out).records())
    return (after - before) / (time.monotonic() - began)


def watched_speed(out: Path, seconds: float) -> float:
    """Return the evaluations per second of an experiment while fifty pages are open, and print what they cost."""
    with subprocess.Popen([*EVO, "serve", str(out), "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            return _with_readers(server, out, seconds)
        finally:
            server.terminate()


def _with_readers(server: subprocess.Popen[str], out: Path, seconds: float) -> float:
    assert server.stdout is not None
    address = re.findall(r"http://\S+", server.stdout.readline())[0]
    with urllib.request.urlopen(address) as answer:
        page = re.findall(r'href="(/experiments/\w+)"', answer.read().decode())[0]
    readers = [Reader(address, page) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    time.sleep(min(30.0, seconds))  # the first pictures are drawn
    for reader in readers:
        reader.took.clear()
    before = _computed(server.pid)
    found = speed(out, seconds)
    computed = (_computed(server.pid) - before) / seconds
    took = [one for reader in readers for one in reader.took] or [float("nan")] * 2
    memory = int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())[0]) / 1024
    slow = quantiles(took, n=20)[-1] if len(took) > 1 else took[0]
    print(
        f"server: {100 * computed:.1f} % of a core, {memory:.0f} MB at most; "
        f"{len(took)} pages, {mean(took):.2f} s on average, {slow:.2f} s for the slowest twentieth"
    )
    return found


def _computed(process: int) -> float:
    """Return the seconds that a process has computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


if __name__ == "__main__":
    measure(float(sys.argv[1]) if len(sys.argv) > 1 else 600.0)
