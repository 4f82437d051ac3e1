"""Audit, prove and explain a pattern, apart from whatever found it."""
