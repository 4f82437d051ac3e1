"""Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking."""
