"""Information loss in specific uses: regressions and clusterings done on the masked file."""
