"""Torra (2013), Masking methods: the figures of the slides."""
