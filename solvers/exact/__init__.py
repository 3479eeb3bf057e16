"""Proofs and enumeration: exhaustive search, constraint programming, brute force."""
