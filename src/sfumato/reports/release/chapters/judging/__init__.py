"""How a file stands against each intruder that was tried."""
