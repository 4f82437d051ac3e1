"""Information loss of categories, and values that were suppressed."""
