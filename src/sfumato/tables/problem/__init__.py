"""What a protection has to achieve: cells that add up, those that are unsafe, and attackers; shared by all rooms."""
