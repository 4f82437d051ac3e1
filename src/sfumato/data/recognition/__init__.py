"""What text is beyond text: dates, and numbers that nothing reads as such."""
