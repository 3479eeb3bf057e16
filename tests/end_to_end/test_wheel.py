"""The package works from a wheel, in an empty directory."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the files that git knows, or would know."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


def test_the_wheel_holds_rooms_and_settings_but_no_benchmarks(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    rooms = {name.partition("/")[0] for name in names if name.endswith("__init__.py")}
    assert rooms == {"puzzles", "operators", "solvers", "evo", "plots", "runs"}
    for needed in (
        "runs/table1/GA_1.toml",
        "puzzles/data/eternity2.json",
        "plots/report.html",
        "evo/live/live.js",
        "evo/py.typed",
    ):
        assert needed in names
    assert not [name for name in names if "results" in name and name.startswith("runs/")]


def test_it_solves_and_runs_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)  # the dependencies are those of this process
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)

    def evo(*arguments: str) -> subprocess.CompletedProcess[str]:
        program = "import evo, pathlib, sys; from evo.cli import main; "
        program += "assert pathlib.Path(evo.__file__).is_relative_to(sys.argv.pop(1)), evo.__file__; main()"
        command = [sys.executable, "-P", "-c", program, str(site), *arguments]
        return subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)

    solved = evo("solve", "eternity2", "--seconds", "2")
    assert solved.returncode == 0, solved.stderr
    assert "valid" in solved.stdout
    run = evo("run", "RAND", "--evaluations", "2000", "--out", "out")
    assert run.returncode == 0, run.stderr
    assert evo("report", "out").returncode == 0
    bench = evo("bench")
    assert (bench.returncode, "not installed with the package" in bench.stderr) == (2, True)
