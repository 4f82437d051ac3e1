"""Densities that are learnt from pairs of records whose truth is known: by running the recipe, or from the files."""
