"""Text files: CSV and its kin, their encodings and separators, and rows that are not as regular as they should be."""
