"""The jobs about tables: protect, audit, compare and export them."""
