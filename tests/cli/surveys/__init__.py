"""Awkward survey files, walked through every command."""
