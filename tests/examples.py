"""The files that docs/extending.md shows, as files."""

import re
import tempfile
from functools import cache
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"


@cache
def examples() -> Path:
    """A folder with the files of the page, for this process."""
    folder = Path(tempfile.mkdtemp(prefix="evo-examples-"))
    for name, content in re.findall(r"```\w+ file=(\S+)\n(.*?)```", PAGE.read_text(), flags=re.DOTALL):
        (folder / name).write_text(content)
    return folder


def example(name: str) -> Path:
    return examples() / name
