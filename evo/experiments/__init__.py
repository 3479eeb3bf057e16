"""Experiments: plans read from settings, runs carried out by workers, and a store that survives what happens to them.

A plan (`plan`) is rows of settings with several runs each. A run is worked off in slices (`slices`), each a pure
function of the task and of where the slice before it ended; so a run that was killed anywhere ends with the bytes of
one that was not. Workers (`workers`) run slices here, in processes, or on a Dask cluster; the driver (`driver`) alone
writes to the store (`store`), a plain directory, from which data frames are read (`frames`).
"""
