"""Fields of forms that stay true to whoever types or chooses there while the server shows something else."""
