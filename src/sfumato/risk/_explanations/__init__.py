"""Where a risk comes from: by record, by variable, by category and by combination of keys."""
