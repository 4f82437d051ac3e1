"""Which cells give somebody away, by rules and by what is given."""
