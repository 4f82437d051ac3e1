"""Tables in the files of tau-Argus."""
