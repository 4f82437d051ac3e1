"""Find the cells to suppress: to proven optimality, quickly, or as the size of the problem allows."""
