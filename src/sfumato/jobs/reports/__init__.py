"""The jobs about release reports: write one on a file or on tables, and check it."""
