"""Record linkage: an intruder who knows original values looks for the masked record of a person."""
