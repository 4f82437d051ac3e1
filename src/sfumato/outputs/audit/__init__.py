"""What readers of several outputs can conclude of groups of records: atoms, what is known of them, and the audit."""
