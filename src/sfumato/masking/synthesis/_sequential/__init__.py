"""What sequential synthesis does with whole records: draw them column by column, keep rules, find copies, write."""
