"""Gaps of keys that tell something: of a suppressed value, of other members, or that nobody was asked."""
