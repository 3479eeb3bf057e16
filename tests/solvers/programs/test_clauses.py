"""Rows as clauses against all assignments."""

from itertools import product
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from solvers.programs.clauses import Clauses
from solvers.programs.model import Row


@given(
    st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=8),
    st.one_of(st.just(-inf), st.integers(-12, 12)),
    st.one_of(st.just(inf), st.integers(-12, 12)),
)
def test_clauses_hold_exactly_where_the_row_does(coefficients: list[int], low: float, high: float) -> None:
    size = len(coefficients)
    clauses = Clauses(size)
    found = clauses.of(Row("", tuple(enumerate(coefficients)), low, high))
    for choice in product((False, True), repeat=size):
        total = sum(c for c, chosen in zip(coefficients, choice, strict=True) if chosen)
        known = {k + 1 if chosen else -k - 1 for k, chosen in enumerate(choice)}
        assert (not clauses.contradiction and _propagates(found, known)) == (low <= total <= high)


def _propagates(clauses: list[list[int]], known: set[int]) -> bool:
    """Return whether unit propagation from a full assignment of the row's variables finds no conflict."""
    known = set(known)
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if not any(literal in known for literal in clause):
                open_ = [literal for literal in clause if -literal not in known]
                if not open_:
                    return False
                if len(open_) == 1:
                    known.add(open_[0])
                    changed = True
    return True
