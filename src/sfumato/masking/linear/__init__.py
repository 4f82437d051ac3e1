"""Linear masks: records and columns mixed and moved by matrices."""
