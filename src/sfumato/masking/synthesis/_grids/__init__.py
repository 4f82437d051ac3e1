"""How finely numbers are told: decimals, other steps, parts of the calendar, and bounds that they keep to."""
