"""What figures and words of a release report mean, in plain words for a review board."""
