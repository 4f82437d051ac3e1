"""Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization."""
