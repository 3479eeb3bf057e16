"""Boards improved by moves: tabu search with swaps, and tabu search in the very large neighbourhood."""
