"""Exhibits: the experiments and records that the live page shows, found again and again below some folders.

A request names an exhibit by an identifier that is looked up here; no path ever comes from a request.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from evo.analysis.record import is_record, paths_of, read_record, recorded_in
from evo.analysis.record_study import RecordStudy
from evo.analysis.study import Study
from evo.errors import EvoError, StoreError
from evo.live.pace import Pace
from evo.live.standing import Standing, record_standing, store_standing
from evo.live.watched_store import Stamp, WatchedStore, stamp

_READING_SHARE = 0.01
"""The share of a core that reading a running experiment again may take."""


class Exhibit:
    """An experiment or a record.

    Args:
        path: The directory of the experiment, or the folder of the record.
        record: The name of the record; "" for an experiment.
    """

    def __init__(self, path: Path, record: str = "") -> None:
        self.path, self.record = path, record
        self.id = hashlib.sha256(f"{path.resolve()}\0{record}".encode()).hexdigest()[:12]
        self.version = ""
        """Changes when what is shown of the exhibit does."""
        self.standing = Standing(record or path.name, "", path.name)
        self._store: WatchedStore | None = None
        self._opened: Stamp | None = None
        self._study: tuple[str, Study] | None = None
        self._pace, self._lock = Pace(_READING_SHARE), threading.Lock()

    @property
    def store(self) -> WatchedStore | None:
        """The store of an experiment; None for a record, or if the experiment is damaged."""
        return self._store

    def refresh(self) -> None:
        """Look whether the exhibit has changed, and if so, how it stands now."""
        with self._lock:
            began = time.thread_time()
            try:
                version, ended = self._look()
                if version == self.version or not (ended or self._pace.ready()):
                    return
                if self.record:  # its boards are verified when it is opened
                    standing = record_standing(RecordStudy(read_record(self.path, self.record, check=False)))
                else:
                    assert self._store is not None
                    standing = store_standing(self._store)
            except EvoError as error:
                self._store = None
                version = f"damaged-{hashlib.sha256(str(error).encode()).hexdigest()[:12]}"
                standing = Standing(self.record or self.path.name, "", self.path.name, error=str(error))
            self.version, self.standing = version, standing
            self._pace.spend(time.thread_time() - began)

    def study(self) -> Study:
        """Return the study of the exhibit in its present version.

        Raises:
            EvoError: It is damaged.
        """
        with self._lock:
            if self.standing.error:
                raise StoreError(self.standing.error)
            if self._study is None or self._study[0] != self.version:
                began = time.thread_time()
                if self.record:
                    study: Study = RecordStudy(read_record(self.path, self.record))
                else:
                    study = Study(self._store if self._store is not None else self.path)
                self._study = self.version, study
                self._pace.spend(time.thread_time() - began)
            return self._study[1]

    def _look(self) -> tuple[str, bool]:
        """Return the version of what is on disk, and whether it will stay so: nobody is working on it."""
        if self.record:
            stamps = [stamp(path) for path in paths_of(self.path, self.record)]
            return hashlib.sha256(repr(stamps).encode()).hexdigest()[:12], True
        plan = stamp(self.path / "experiment.json")
        if self._store is None or plan != self._opened:
            self._store, self._opened = WatchedStore(self.path), plan
        return self._store.version(), not self._store.alive


class Exhibits:
    """All exhibits in some folders.

    Args:
        folders: Experiments, folders of records, or folders that contain experiments.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = list(folders)
        self._found: dict[str, Exhibit] = {}

    def refresh(self) -> None:
        """Find new exhibits, forget those that are gone, and look how the others stand."""
        known = {(one.path, one.record): one for one in self._found.values()}
        places = dict.fromkeys(place for folder in self._folders for place in _places(folder))
        found = [known.get(place) or Exhibit(*place) for place in places]
        for exhibit in found:
            exhibit.refresh()
        self._found = {exhibit.id: exhibit for exhibit in found}

    def get(self, identifier: str) -> Exhibit | None:
        """Return the exhibit with an identifier, or None."""
        return self._found.get(identifier)

    def newest_first(self) -> list[Exhibit]:
        """Return all exhibits; those that are being worked on come first, then the newest."""
        return sorted(self._found.values(), key=lambda one: (one.standing.working, one.standing.created), reverse=True)

    def versions(self) -> dict[str, str]:
        """Return the version of each exhibit, by its identifier."""
        return {exhibit.id: exhibit.version for exhibit in self._found.values()}


def _places(folder: Path) -> list[tuple[Path, str]]:
    """Return the experiments and records of a folder: those that it is, or those directly below it."""
    if (folder / "experiment.json").exists():
        return [(folder, "")]
    if is_record(folder):
        return [(folder, name) for name in recorded_in(folder)]
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
    return [(path, "") for path in inside if (path / "experiment.json").exists()]
