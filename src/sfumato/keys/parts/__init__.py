"""Parts of codes, texts and dates, which tell something although the whole is different for most records."""
