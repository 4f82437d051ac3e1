"""Files with labels: SPSS, Stata and SAS, read and written by pyreadstat."""
