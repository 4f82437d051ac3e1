"""Who is found where k is claimed, by all that a released file tells beside its keys."""
