"""What comes of a run or an experiment, as objects: the board, its score, the trace, the settings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evo.experiments import frames
from evo.experiments.plan import edges_of
from evo.experiments.store import Store
from operators import counted_score, score_text
from puzzles.protocols import AnyBoard

if TYPE_CHECKING:
    import pandas as pd

    from evo.settings.base import RunSettings


@dataclass(frozen=True)
class Result:
    """The outcome of one run.

    Attributes:
        board: The best board. It may have empty cells if the algorithm leaves some. That of a Sudoku or Battleship
            puzzle is a `puzzles.pencil.Filling`.
        settings: The settings of the run.
        trace: The progress of the run, one row per recorded report: evaluations, seconds, best, mean, worst, diversity.
        evaluations: The number of evaluations made.
        seconds: The computing time.
    """

    board: AnyBoard
    settings: RunSettings
    trace: pd.DataFrame
    evaluations: int
    seconds: float

    @property
    def score(self) -> int:
        """The score of the board; of tiles, the number of matching inner edges."""
        return self.board.score

    @property
    def counted_score(self) -> int:
        """The number of them that the settings count; see the setting `edges` of the paper's algorithms."""
        return counted_score(self.board, edges_of(self.settings))

    def __repr__(self) -> str:
        score = score_text(self.board, edges_of(self.settings))
        return f"<Result {self.settings.algorithm}: {score}, {self.evaluations:,} evaluations, {self.seconds:.1f} s>"

    def _repr_html_(self) -> str:
        """Return the picture that a notebook shows."""
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.board.to_svg()}"


class ExperimentResult:
    """The outcome of an experiment: a directory of results, read when needed.

    Args:
        directory: The directory of the experiment.

    Raises:
        StoreError: The directory holds no experiment, or a damaged one.
    """

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)
        self._store = Store(directory)

    @cached_property
    def runs(self) -> pd.DataFrame:
        """One row per run: its row, seed, budget, best score, seconds, state."""
        return frames.results(self.directory)

    @cached_property
    def trace(self) -> pd.DataFrame:
        """One row per trace point of each run."""
        return frames.traces(self.directory)

    @cached_property
    def fronts(self) -> pd.DataFrame:
        """One row per non-dominated triple of objectives in the final population of each run."""
        return frames.fronts(self.directory)

    @cached_property
    def board(self) -> AnyBoard:
        """The best board of all runs."""
        from evo.errors import StoreError

        run, _ = max(self._store.records(), key=lambda pair: pair[1].best_score)
        board = self._store.board(run)
        if board is None:
            raise StoreError(f"{self.directory}: no run has a board yet")
        return board

    @property
    def score(self) -> int:
        """The score of the best board."""
        return self.board.score

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """The resolved settings of each row, by its label."""
        return {run.label: run.settings for run in self._store.runs if run.run == 1}

    def __repr__(self) -> str:
        done = int((self.runs["state"] == "done").sum())
        best = f"{max(int(self.runs['best_score'].max()), 0)}"
        if self._store.edges != "all" and best != "0":
            best = score_text(self.board, self._store.edges)
        return f"<ExperimentResult {self._store.name}: {done} of {len(self.runs)} runs done, best score {best}>"

    def _repr_html_(self) -> str:
        """Return the table and the picture that a notebook shows."""
        columns = ["setting", "init", "fitness", "run", "best_score", "true_score", "evaluations", "seconds", "state"]
        picture = self.board.to_svg() if self.runs["best_score"].max() >= 0 else ""
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.runs[columns].to_html(index=False)}{picture}"
