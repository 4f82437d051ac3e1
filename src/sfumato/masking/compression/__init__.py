"""Lossy compression: the file treated as a picture."""
