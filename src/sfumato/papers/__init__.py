"""The figures of the classic papers, computed again: what is printed, what comes out, and whether they agree."""
