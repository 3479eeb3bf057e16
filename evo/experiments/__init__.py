"""Experiments: plans made from settings, runs carried out by workers, and a store that survives crashes.

A plan (`plan`) has rows of settings with several runs each. A run is cut into slices (`slices`). Each is a pure
function of the task and of the state in which the previous slice ended, so a run that was killed anywhere ends with the
bytes of one that was not. Workers (`workers`) run slices in this process, in others, or on a Dask cluster; only the
driver (`driver`) writes to the store (`store`), a plain directory, from which data frames are read (`frames`). `run`,
`solve` and `run_experiment` are the functions for Python.
"""
