"""Models as LP and MPS files, which other solvers read."""

from __future__ import annotations

import re
from math import inf

from solvers.programs.model import Model, Row


def lp(model: Model) -> str:
    """Return a model in the LP format of CPLEX. Rows are named by their equations."""
    names = _names(model)
    lines = ["\\ " + line for line in str(model).splitlines()]
    lines += ["Minimize", f" obj: {_sum(model.objective, names)}", "Subject To"]
    for name, row in zip(_row_names(model), model.rows, strict=True):
        total = _sum(row.terms, names)
        if row.low == row.high:
            lines.append(f" {name}: {total} = {row.low:g}")
            continue
        if row.high < inf:
            lines.append(f" {name}: {total} <= {row.high:g}")
        if row.low > -inf:
            lines.append(f" {name}{'_low' if row.high < inf else ''}: {total} >= {row.low:g}")
    lines.append("Bounds")
    lines += [f" {v.low:g} <= {name} <= {v.high:g}" for name, v in zip(names, model.variables, strict=True)]
    lines.append("Generals")
    lines += [f" {name}" for name, v in zip(names, model.variables, strict=True) if v.integer]
    return "\n".join([*lines, "End", ""])


def mps(model: Model) -> str:
    """Return a model in the free MPS format."""
    names, row_names = _names(model), _row_names(model)
    lines = [f"NAME {model.name}", "ROWS", " N obj"]
    lines += [f" {_sense(row)} {name}" for name, row in zip(row_names, model.rows, strict=True)]
    columns: list[list[str]] = [[] for _ in names]
    for index, coefficient in model.objective:
        columns[index].append(f" {names[index]} obj {coefficient}")
    for row_name, row in zip(row_names, model.rows, strict=True):
        for index, coefficient in row.terms:
            columns[index].append(f" {names[index]} {row_name} {coefficient}")
    lines += ["COLUMNS", " M1 'MARKER' 'INTORG'"]
    for wanted in (True, False):
        for name, variable, entries in zip(names, model.variables, columns, strict=True):
            if variable.integer == wanted:
                lines += entries or [f" {name} obj 0"]
        lines += [" M2 'MARKER' 'INTEND'"] if wanted else []
    lines.append("RHS")
    lines += [
        f" RHS {name} {row.low if row.high == inf else row.high:g}"
        for name, row in zip(row_names, model.rows, strict=True)
    ]
    lines.append("RANGES")
    lines += [
        f" RNG {name} {row.high - row.low:g}"
        for name, row in zip(row_names, model.rows, strict=True)
        if -inf < row.low < row.high < inf
    ]
    lines.append("BOUNDS")
    for name, variable in zip(names, model.variables, strict=True):
        lines += [f" LO BND {name} {variable.low:g}", f" UP BND {name} {variable.high:g}"]
    return "\n".join([*lines, "ENDATA", ""])


def _sense(row: Row) -> str:
    return "E" if row.low == row.high else "G" if row.high == inf else "L"


def _sum(terms: tuple[tuple[int, int], ...], names: list[str]) -> str:
    parts = [f"{'+' if c >= 0 else '-'} {'' if abs(c) == 1 else f'{abs(c)} '}{names[index]}" for index, c in terms]
    return " ".join(parts) or f"0 {names[0]}"


def _names(model: Model) -> list[str]:
    """Return names that both formats accept, and that are unique."""
    return [f"{re.sub('[^A-Za-z0-9_]+', '_', v.name)}__{k}" for k, v in enumerate(model.variables)]


def _row_names(model: Model) -> list[str]:
    return [f"e{re.sub('[^A-Za-z0-9]+', '_', row.equation)}_{k}" for k, row in enumerate(model.rows)]
