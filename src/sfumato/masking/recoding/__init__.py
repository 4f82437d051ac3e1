"""Recoding: categories joined, numbers put into classes, tails cut off."""
