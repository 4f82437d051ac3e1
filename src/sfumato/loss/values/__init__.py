"""Information loss of numeric values and of their moments."""
