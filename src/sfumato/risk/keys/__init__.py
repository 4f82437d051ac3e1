"""Re-identification by key variables (quasi-identifiers): rare combinations of what others know."""
