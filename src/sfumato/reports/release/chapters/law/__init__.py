"""The questions of the law and of standards, each answered with the figures of the report."""
