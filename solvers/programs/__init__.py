"""Integer programs as data, as LP and MPS files, and the engines that solve them: shared by all kinds of puzzles."""
