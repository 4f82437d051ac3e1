"""Whose records are: what tells that several are of one person, firm or household."""
