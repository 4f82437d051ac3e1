"""A release report as a page, its charts, and as text; nothing is computed here."""
