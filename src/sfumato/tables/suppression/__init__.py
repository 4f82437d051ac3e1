"""Find the cells to hide: to proven optimality, quickly, or as the size of the problem allows."""
