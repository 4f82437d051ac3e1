"""What the page does beside what its library does: the keyboard stays where it was, and no click is lost."""
