"""Steps that draw once for all members of a household, and what that tells of each of them."""
