"""The notebooks of the documentation: how they are executed, stored, and compared with what is stored.

    python -m tests.notebooks [NAME...]     # executes them and stores their outputs; `make notebooks` executes all

A cell with the tag "varies" depends on the speed of the machine: of its outputs, only their kinds are compared.
"""

import copy
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
MOST_SECONDS = 900
"""The time after which a cell has failed, even on a machine that does much else."""


def names() -> list[str]:
    """The names of all notebooks."""
    return sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def stored(name: str) -> Any:
    """The notebook as it is stored."""
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def executed(notebook: Any) -> Any:
    """A copy of a notebook, executed in an empty folder by a kernel without the settings of this user."""
    notebook = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"IPYTHONDIR": home, "JUPYTER_CONFIG_DIR": home}
        NotebookClient(
            notebook,
            timeout=MOST_SECONDS,
            kernel_name="python3",
            extra_arguments=["--log-level=ERROR"],
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
        ).execute(env=environment)
    notebook.metadata["language_info"] = {"name": "python"}  # the rest is about this machine
    return notebook


def shown(cell: Any) -> list[Any]:
    """What a reader sees below a cell: texts, and the kinds of everything else."""
    varies = "varies" in cell.metadata.get("tags", [])
    found: list[Any] = []
    for output in cell.outputs:
        kinds = sorted(output.get("data", {}))
        text = output.get("text", output.get("data", {}).get("text/plain", ""))
        found.append((output.output_type, output.get("name", ""), kinds, "" if varies else text))
    return found


def main() -> None:
    """Execute notebooks, and store them with their outputs."""
    for name in sys.argv[1:] or names():
        notebook = executed(stored(name))
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                for kind, content in output.get("data", {}).items():  # HTML of pandas ends its lines with spaces
                    output.data[kind] = re.sub(r"[ \t]+$", "", content, flags=re.M) if kind == "text/html" else content
        nbformat.write(notebook, FOLDER / f"{name}.ipynb")
        print(name)


if __name__ == "__main__":
    main()
