"""What can be learnt about keys from other columns, whatever it is: nobody has to list it before."""
