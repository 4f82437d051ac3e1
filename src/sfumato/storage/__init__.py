"""Files replaced whole, or not at all."""
