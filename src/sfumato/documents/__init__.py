"""Records of parameters, and the YAML documents that hold them."""
