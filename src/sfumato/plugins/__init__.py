"""Methods, measures and improvers of other packages and of notebooks: how they join, and where they came from."""

from sfumato.plugins.registration import ALL_TABLES, MEASURES, origin_of, register

__all__ = ["ALL_TABLES", "MEASURES", "origin_of", "register"]
