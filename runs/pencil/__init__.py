"""Settings for Sudoku and Battleship: evolutionary, local and exact searches."""
