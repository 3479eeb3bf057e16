"""Experiment settings as TOML: one file per row of the paper's Table I, suites, and the results below `results`."""
