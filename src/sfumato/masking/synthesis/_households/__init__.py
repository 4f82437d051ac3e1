"""What household synthesis does: put members in order, draw household by household, keep rules, find copies."""
