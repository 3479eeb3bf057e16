"""Settings with repair in the very large neighbourhood."""
