"""What an intruder who knows the recipe knows of values that were drawn from a model."""
