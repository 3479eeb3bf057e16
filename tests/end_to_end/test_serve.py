"""`evo serve`, and the live page beside a run, as a person starts and stops them."""

import os
import re
import signal
import socket
import subprocess
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest

from tests.end_to_end.commands import evo, start, wait_until
from tests.evo.live.sample import begun, small_puzzle

pytest.importorskip("starlette", reason="the extra live is not installed")


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return re.findall(r"http://\S+", process.stdout.readline())[0]


def answers(address: str) -> bool:
    try:
        return "Experiments" in urllib.request.urlopen(address).read().decode()
    except URLError:
        return False


@pytest.mark.parametrize("work", ["run", "solve"])
def test_the_page_lives_as_long_as_the_work(tmp_path: Path, work: str) -> None:
    endless = {
        "run": ["RAND", "--puzzle", small_puzzle(tmp_path), "--evaluations", "1000000000", "--out", "out"],
        "solve": ["eternity2", "--seconds", "1000"],
    }
    process = start(work, *endless[work], "--serve", cwd=tmp_path)
    address = address_of(process)
    wait_until(lambda: answers(address))
    wait_until(lambda: "1 running" in urllib.request.urlopen(address).read().decode())
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C in a terminal: to all of them
    process.communicate(timeout=60)
    assert process.returncode in {"run": (130,), "solve": (0, 2)}[work]  # 2: there is no board yet
    assert not answers(address)


def test_the_page_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    process = start("run", "RAND", "--puzzle", small_puzzle(tmp_path), "--evaluations", "1000000000", "--serve",
                    "--out", tmp_path / "out")  # fmt: skip
    address = address_of(process)
    wait_until(lambda: answers(address))
    process.kill()
    process.communicate(timeout=60)
    wait_until(lambda: not answers(address), 30)


def test_other_machines_need_the_token_that_is_printed(tmp_path: Path) -> None:
    begun(tmp_path)
    process = start("serve", tmp_path, "--host", "0.0.0.0", "--port", "0")
    address = address_of(process).replace("0.0.0.0", "127.0.0.1")
    with pytest.raises(HTTPError, match="401"):
        urllib.request.urlopen(address.partition("?")[0])
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with opener.open(address) as page:
        assert "token" not in page.url
        assert "2 pending" in page.read().decode()
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")


def test_what_cannot_be_served_is_said_in_a_line(tmp_path: Path) -> None:
    missing = evo("serve", tmp_path / "nothing")
    assert (missing.returncode, missing.stderr) == (2, f"evo: {tmp_path / 'nothing'}: is not a folder\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        busy = evo("serve", tmp_path, "--port", str(port))
    assert (busy.returncode, "Address already in use; choose another --port" in busy.stderr) == (2, True)
    assert busy.stderr.count("\n") == 1
