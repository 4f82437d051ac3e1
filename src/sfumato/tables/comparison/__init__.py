"""Hold protections of the same table against each other."""
