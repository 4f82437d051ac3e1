"""Identifiers: direct identifiers dropped or replaced by pseudonyms."""
