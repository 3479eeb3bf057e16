"""Searches that build boards."""
