"""Information loss in analyses: regressions and clusterings done on the masked file."""
