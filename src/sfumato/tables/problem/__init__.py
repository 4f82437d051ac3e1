"""What a protection has to achieve: cells that add up, those that are unsafe, and intruders; shared by all rooms."""
