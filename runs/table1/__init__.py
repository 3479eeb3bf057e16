"""One setting per row of the paper's Table I."""
