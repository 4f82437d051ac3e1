"""What text is beyond text: dates, contacts, and numbers that nothing reads as such."""
