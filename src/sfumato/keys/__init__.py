"""Key variables (quasi-identifiers): the classes that their values make, their cells, combinations and households."""
