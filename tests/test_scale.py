"""docs/scale.md agrees with its records; and a short campaign of faults, in which nothing is lost."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import scale_tables

ROOT = Path(__file__).parents[1]


def test_the_page_shows_the_records() -> None:
    page = (scale_tables.DOCS / "scale.md").read_text()
    assert scale_tables.rewritten(page) == page
    for name in scale_tables.TABLES:
        assert f"<!-- {name} -->\n\n| " in page


def test_no_run_of_the_campaigns_ended_differently() -> None:
    lines = scale_tables.read("soak.jsonl")
    assert lines
    assert all(line["differences"] == 0 and line["total"] == sum(line["faults"].values()) for line in lines)


@pytest.mark.skipif(sys.platform != "linux", reason="faults are those of Linux")
def test_twenty_faults_change_nothing(tmp_path: Path) -> None:
    algorithms = ["GA", "TABU", "EDGE_FILTERING", "PENCIL_SA"]
    record = tmp_path / "soak.jsonl"
    command = [sys.executable, "-m", "benchmarks.soak", "--faults", "20", "--seed", "7", "--record", str(record)]
    done = subprocess.run([*command, "--algorithms", *algorithms], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    [found] = [json.loads(line) for line in record.read_text().splitlines()]
    assert found["total"] == 20
    assert found["algorithms"] == sorted(algorithms)
