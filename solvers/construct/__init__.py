"""Boards built piece by piece: beam search, backtracking with a mismatch budget, and random boards."""
