"""A selection: one exhibit, or several side by side, with a version and a study of their data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from evo.analysis.study import Study
from evo.errors import ConfigError
from evo.live.exhibits import Exhibit, Exhibits
from evo.live.standing import Standing

_MOST = 8
"""The largest number of experiments side by side."""


class Selection:
    """One or several exhibits.

    Args:
        exhibits: The exhibits.
    """

    def __init__(self, exhibits: Sequence[Exhibit]) -> None:
        self.exhibits = list(exhibits)
        self.ids = [exhibit.id for exhibit in exhibits]
        self.versions = [exhibit.version for exhibit in exhibits]

    @classmethod
    def named(cls, exhibits: Exhibits, names: str) -> Selection | None:
        """Return the selection that an address names; None if an exhibit does not exist or there are too many."""
        parts = list(dict.fromkeys(names.split("-")))
        found = [exhibit for part in parts[:_MOST] if (exhibit := exhibits.get(part)) is not None]
        return cls(found) if 0 < len(found) == len(parts) else None

    @property
    def path(self) -> str:
        """The address of its page."""
        return f"/experiments/{'-'.join(self.ids)}"

    @property
    def version(self) -> str:
        """A text that changes when the data of an exhibit do."""
        return "-".join(self.versions)

    @property
    def standings(self) -> list[Standing]:
        """How the exhibits stand."""
        return [exhibit.standing for exhibit in self.exhibits]

    @property
    def final(self) -> bool:
        """Whether nobody is working on any of the exhibits."""
        return not any(standing.working for standing in self.standings)

    def study(self) -> Study:
        """Return the study of the exhibits.

        Raises:
            EvoError: One of them is damaged, or they cannot be put side by side.
        """
        if len(self.exhibits) == 1:
            return self.exhibits[0].study()
        if any(exhibit.record for exhibit in self.exhibits):
            raise ConfigError("a record cannot be put side by side with others; choose experiments only")
        return _side_by_side(tuple(self.exhibits), self.version)


@lru_cache(maxsize=4)
def _side_by_side(exhibits: tuple[Exhibit, ...], version: str) -> Study:
    """Return the study of several experiments, read once for each version of their data."""
    return Study([exhibit.store or exhibit.path for exhibit in exhibits])
