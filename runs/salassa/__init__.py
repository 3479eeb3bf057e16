"""The constructors, searches and tables of Salassa et al."""
