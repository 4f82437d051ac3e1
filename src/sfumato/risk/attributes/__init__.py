"""Attribute disclosure: what is learnt about a person without finding the record."""
