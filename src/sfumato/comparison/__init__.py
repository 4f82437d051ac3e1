"""Original and masked file side by side: the same columns on one scale, coded alike, and matched by record."""
