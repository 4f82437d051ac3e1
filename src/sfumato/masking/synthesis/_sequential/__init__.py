"""What sequential synthesis does with whole records: draw them, meet conditions, find copies, write."""
