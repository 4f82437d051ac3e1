"""Recipes for files larger than memory: run, and released as parts with a manifest."""
