"""Sfumato: statistical disclosure control for Python."""

__version__ = "0.1.0"
