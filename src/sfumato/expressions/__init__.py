"""The language of formulas and conditions: how they are read, checked and evaluated."""
