"""Resampling: values replaced by averages of ranked bootstrap samples."""
