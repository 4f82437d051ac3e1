"""Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection."""
