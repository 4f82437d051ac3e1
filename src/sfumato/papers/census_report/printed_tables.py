"""The printed Tables 1 to 3 of Yancey, Winkler and Creecy (2002), for the Census file; numbers as they are printed."""

TABLE_1_COLUMNS = ("IL1", "IL1s", "IL2", "IL3", "IL4", "IL5", "s0", "s1", "s2")
TABLE_1 = """
rnkswp05     0.129 0.091 0.000 0.130 0.000 0.016 0.036 0.055 0.027
rnkswp10     0.219 0.155 0.000 0.195 0.000 0.036 0.058 0.090 0.048
rnkswp15     0.294 0.208 0.000 0.224 0.000 0.070 0.073 0.118 0.069
add01        0.194 0.137 0.001 0.036 0.014 0.002 0.013 0.038 0.039
add10        0.371 0.263 0.004 0.168 0.115 0.007 0.073 0.114 0.097
mixadd01     0.204 0.063 0.002 0.028 0.012 0.002 0.011 0.050 0.020
mixadd05     0.326 0.140 0.004 0.088 0.053 0.004 0.037 0.095 0.050
mixadd10     0.398 0.199 0.006 0.152 0.105 0.005 0.067 0.133 0.079
mixadd20     0.489 0.281 0.008 0.273 0.207 0.007 0.124 0.189 0.126
scalmixadd01 0.202 0.063 0.002 0.021 0.003 0.002 0.007 0.046 0.017
scalmixadd05 0.316 0.137 0.004 0.048 0.007 0.004 0.016 0.076 0.038
scalmixadd10 0.379 0.190 0.006 0.067 0.010 0.005 0.022 0.093 0.053
scalmixadd20 0.449 0.258 0.008 0.095 0.014 0.007 0.031 0.114 0.072
"""

TABLE_2_COLUMNS = ("d", "l")
TABLE_2 = """
rnkswp05     0.8861 0.9620
rnkswp10     0.2694 0.7287
rnkswp15     0.0491 0.3444
add01        0.7972 0.7500
add10        0.2296 0.3167
mixadd01     0.7667 0.7176
mixadd05     0.1482 0.3556
mixadd10     0.0574 0.2194
mixadd20     0.0139 0.1009
scalmixadd01 0.7704 0.7370
scalmixadd05 0.1602 0.3537
scalmixadd10 0.0648 0.2417
scalmixadd20 0.0269 0.1241
"""  # the fourth row is printed as add05, but is that of add01

TABLE_3_COLUMNS = ("Ascore d", "Dscore d", "Sscore d", "Ascore l", "Dscore l", "Sscore l")
TABLE_3 = """
rnkswp05     46.11 47.06 46.66 49.90 50.85 49.45
rnkswp10     16.37 17.97 15.87 39.34 40.94 38.84
rnkswp15      6.11  8.36  5.91 20.87 23.12 30.67
add01        40.51 41.76 41.81 38.15 39.40 39.45
add10        15.13 17.18 16.33 19.49 21.54 20.69
mixadd01     38.88 40.81 39.31 36.42 38.36 36.86
mixadd05      9.27 12.16  9.93 19.64 22.53 20.30
mixadd10      6.22  9.53  6.80 14.32 17.63 14.90
mixadd20      6.88 10.13  6.98 11.23 14.48 11.33
scalmixadd01 38.95 40.90 39.46 37.21 39.16 37.72
scalmixadd05  8.94 11.94 10.06 18.47 21.47 19.59
scalmixadd10  4.43  8.00  5.97 13.19 16.75 14.73
scalmixadd20  2.89  7.06  4.94  7.75 11.92  9.80
"""


def cells(text: str, columns: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return a printed table as its cells by row and column.

    Examples
    --------
    >>> cells("add01 0.7972 0.7500", ("d", "l"))
    {'add01': {'d': '0.7972', 'l': '0.7500'}}
    """
    rows = (line.split() for line in text.strip().splitlines())
    return {name: dict(zip(columns, numbers, strict=True)) for name, *numbers in rows}
