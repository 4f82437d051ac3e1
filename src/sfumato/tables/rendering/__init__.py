"""Protected tables for the eye: as text, and as a page."""
