"""Packages pass names on without importing their modules before they are needed."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ["puzzles", "operators", "solvers", "evo", "plots"]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_that_of_its_module(name: str) -> None:
    package = import_module(name)
    lines = [line.split() for line in Path(str(package.__file__)).read_text().splitlines() if " import " in line]
    passed_on = {line[5]: line[1] for line in lines if line[0] == "from" and len(line) == 6 and line[4] == "as"}
    assert set(passed_on) == set(package.__all__) - {"__version__"}
    assert set(passed_on) <= set(dir(package))
    for exported, module in passed_on.items():
        assert getattr(package, exported) is getattr(import_module(module), exported), exported


@pytest.mark.parametrize("name", PACKAGES)
def test_modules_are_attributes_and_nothing_else_is(name: str) -> None:
    package = import_module(name)
    assert package.errors is import_module(f"{name}.errors")
    for absent in ("nothing", "_nothing", "__wrapped__"):
        with pytest.raises(AttributeError, match=f"module '{name}' has no attribute '{absent}'"):
            getattr(package, absent)


@pytest.mark.parametrize("name", PACKAGES)
def test_no_name_is_that_of_another_module(name: str) -> None:
    """`package.name` would be the module once anybody had imported it."""
    package = import_module(name)
    modules = {path.stem for path in Path(str(package.__file__)).parent.iterdir()}
    assert modules & set(package.__all__) == set()


def test_boards_and_results_are_read_without_the_compiler() -> None:
    program = (
        "import sys, evo\n"
        "from pathlib import Path\n"
        "from evo.analysis.record import read_record\n"
        "from evo.analysis.record_study import RecordStudy\n"
        "assert evo.load_board('blackwood470').verify().score == 470\n"
        f"study = RecordStudy(read_record(Path({str(ROOT / 'docs' / 'reproduction')!r}), 'past_paper'))\n"
        "assert len(study.compare('setting')[0]) and study.best().board.score == 441\n"
        "print([name for name in ('numba', 'llvmlite', 'deap', 'scipy.stats') if name in sys.modules])\n"
    )
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert outcome.stdout == "[]\n", outcome.stderr
