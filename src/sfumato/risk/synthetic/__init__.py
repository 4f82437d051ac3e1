"""Attacks that ask not which record is which, held against a control: risks of synthetic files."""
