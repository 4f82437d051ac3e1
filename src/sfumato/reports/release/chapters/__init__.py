"""The sections of a release report: each says what it found as parts and figures."""
