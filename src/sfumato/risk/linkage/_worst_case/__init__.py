"""What the worst case is made of: attacks by values, inside strata too, and the sentence that says what they find."""
