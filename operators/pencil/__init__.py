"""Variation of candidates for Sudoku and Battleship: matrices that keep what their kind can always keep."""
