"""Information loss of distributions: how well the masked records can be told from the original ones."""
