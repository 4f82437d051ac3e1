"""The chapter on utility: statistics of both files, what users can still do, and how precisely."""
