"""What a comparison begins with, what it measures, and how its map is shown: no page, no computation of its own."""
