"""Functions of one variable, without SciPy, which takes a tenth to a third of a second to load."""
