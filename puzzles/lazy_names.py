"""The names that a package passes on from its modules, imported when they are first used.

So `import operators` costs nothing, and `operators.mutate` what its module costs: results are read, and the live page
is served, without the compiler. The names are written once, where type checkers read them: as `from module import name
as name`, in the block `if TYPE_CHECKING:` of the package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def lazy_names(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return the names that a package passes on, its `__getattr__`, which imports one on first use, and its `__dir__`.

    Args:
        package: The name of the package, which is being imported.
    """
    module = sys.modules[package]
    homes = _homes(Path(str(module.__file__)))

    def get(name: str) -> Any:
        """Import a name, or a module of the package, on first use."""
        if name in homes:
            value = getattr(import_module(homes[name]), name)
        elif not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(module, name, value)
        return value

    return list(homes), get, lambda: sorted({*vars(module), *homes})


def _homes(path: Path) -> dict[str, str]:
    """Return the module of every name that a package passes on."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {name.name: str(node.module) for node in imports for name in node.names}
