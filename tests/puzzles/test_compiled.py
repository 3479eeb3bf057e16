"""Compiled code on disk: what is loaded, and what is compiled anew after a change."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import puzzles
from puzzles import sources

SOURCES = {
    "operators/__init__.py": "from operators.deep.constants import THREE\nfrom operators.words import WORDS\n",
    "operators/words.py": "WORDS = 'no compiled code imports this'\n",
    "operators/deep/constants.py": "THREE = 3\n",
    "operators/deep/inner.py": """
from puzzles.compiled import inlined

@inlined
def inner(x):
    return x + 1
""",
    "solvers/exact/outer.py": """
from operators import THREE
from operators.deep import inner as deep
from puzzles.compiled import jit

add = deep.inner

@jit
def outer(x):
    return THREE * add(x)
""",
    "solvers/alone.py": """
from puzzles.compiled import jit

@jit
def alone(x):
    return x - 1
""",
    "script.py": """
import json
from puzzles.compiled import jit
from solvers.alone import alone
from solvers.exact.outer import outer

@jit
def own(x):
    return outer(x) + 100

functions = own, outer, alone
values = [function(4) for function in functions]
compiled = [function.__name__ for function in functions if function.stats.cache_misses]
print(json.dumps({"values": values, "compiled": compiled}))
""",
}


class Tree:
    """A small project, with the real cache, that can be edited and run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        self.environment |= {"PYTHONPATH": str(folder), "XDG_CACHE_HOME": str(folder / "personal")}
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"  # Python takes an edit of equal length in a second for none
        for name in ("compiled.py", "code_cache.py", "sources.py"):
            self.write(f"puzzles/{name}", Path(puzzles.__file__).with_name(name).read_text())
        for name, text in SOURCES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def run(self, **environment: str) -> tuple[list[int], list[str]]:
        """Return what the functions of the script gave, and which of them were compiled."""
        time.sleep(0.05)  # what was written within a step of the clock could be newer than the process
        command = [sys.executable, str(self.folder / "script.py")]
        done = subprocess.run(command, env=self.environment | environment, check=True, capture_output=True, text=True)
        found: dict[str, Any] = json.loads(done.stdout)
        return found["values"], found["compiled"]

    def states(self, home: str = "puzzles/__pycache__/compiled") -> set[str]:
        """Return the modules whose machine code is in a folder."""
        folder = self.folder / home
        return {path.name.rpartition("-")[0] for path in folder.iterdir()} if folder.is_dir() else set()


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_changes_compile_what_depends_on_them_and_nothing_else(tree: Tree) -> None:
    assert tree.run() == ([115, 15, 3], ["own", "outer", "alone"])
    assert tree.run() == ([115, 15, 3], [])
    for name in SOURCES:
        os.utime(tree.folder / name)
    tree.edit("operators/words.py", "no compiled code", "still no compiled code")
    tree.write("solvers/exact/unrelated.py", "NUMBER = 1\n")
    assert tree.run() == ([115, 15, 3], [])
    tree.edit("operators/deep/inner.py", "x + 1", "x + 2")
    assert tree.run() == ([118, 18, 3], ["own", "outer"])
    tree.edit("operators/deep/constants.py", "3", "5")
    assert tree.run() == ([130, 30, 3], ["own", "outer"])
    tree.edit("solvers/alone.py", "x - 1", "x - 2")
    assert tree.run() == ([130, 30, 2], ["own", "alone"])
    tree.edit("script.py", "100", "200")
    assert tree.run() == ([230, 30, 2], ["own"])
    tree.edit("script.py", "200", "100")
    assert tree.run() == ([130, 30, 2], []), "the last states are kept"


def test_where_machine_code_is_kept(tree: Tree) -> None:
    tree.run(NUMBA_CACHE_DIR=str(tree.folder / "chosen"))
    assert "solvers.alone" in tree.states("chosen/evo")
    assert not tree.states()
    shutil.rmtree(tree.folder / "puzzles/__pycache__", ignore_errors=True)  # bytecode, if Python writes it
    tree.write("puzzles/__pycache__", "in the way, as if the folder were not writable")
    assert tree.run()[1] == ["own", "outer", "alone"]
    assert "solvers.alone" in tree.states("personal/evo/compiled")
    assert tree.run()[1] == []


def test_processes_may_compile_the_same_at_once(tree: Tree) -> None:
    time.sleep(0.05)
    command = [sys.executable, str(tree.folder / "script.py")]
    running = [subprocess.Popen(command, env=tree.environment, stdout=subprocess.PIPE) for _ in range(2)]
    for process in running:
        printed, _ = process.communicate()
        assert process.returncode == 0
        assert json.loads(printed)["values"] == [115, 15, 3]
    assert not list(tree.folder.rglob("*.tmp"))
    for path in tree.folder.glob("puzzles/__pycache__/compiled/solvers.alone-*/*.whole"):
        path.write_bytes(path.read_bytes()[:100])
    assert tree.run() == ([115, 15, 3], ["alone"]), "a spoilt file"
    assert tree.run() == ([115, 15, 3], [])


def test_old_states_are_removed(tree: Tree) -> None:
    home = tree.folder / "puzzles/__pycache__/compiled"
    for number in range(1, 5):
        tree.run()
        tree.edit("solvers/alone.py", f"x - {number}", f"x - {number + 1}")
    assert len(list(home.glob("solvers.alone-*"))) == 3
    (forgotten,) = home.glob("solvers.exact.outer-*")
    os.utime(forgotten, (0, 0))
    tree.edit("operators/deep/inner.py", "x + 1", "x + 3")
    tree.run()
    assert not forgotten.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "import operators.deep.inner",
        "from operators.deep import inner",
        "from operators.deep.inner import inner",
        "from ..operators.deep import inner",
        "from operators import passed_on",
        "from operators.stars import inner",
        "def function():\n    from operators.deep.inner import inner",
    ],
)
def test_all_ways_to_import(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: Callable[[], None]
) -> None:
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    tree = Tree(tmp_path)
    tree.edit("operators/__init__.py", "\n", "\nfrom operators.deep.inner import inner as passed_on\n")
    tree.write("operators/stars/__init__.py", "from operators.deep.inner import *\n")
    tree.write("solvers/module.py", statement + "\n")
    needed = sources.dependencies(tmp_path / "solvers/module.py")
    assert tmp_path / "operators/deep/inner.py" in needed
    assert tmp_path / "operators/words.py" not in needed or statement == "import operators.deep.inner"


@pytest.fixture
def fresh() -> Any:
    """Forget what was read of sources, before and after a test."""
    kept = (sources.stamp, sources._read, sources._direct, sources._file, sources._home)
    for function in kept:
        function.cache_clear()
    yield
    for function in kept:
        function.cache_clear()


def test_code_changed_while_it_runs_is_not_kept(tmp_path: Path, fresh: Callable[[], None]) -> None:
    path = tmp_path / "module.py"
    path.write_text("x = 1\n")
    assert sources.stamp(path) is None, "newer than this process"
    older = Path(__file__)
    assert sources.stamp(older) is not None
