"""Publications: many tables of the same records, put together to clusters that are protected as one."""
