"""Settings of the algorithms, one module a family; and the paper's two tables."""
