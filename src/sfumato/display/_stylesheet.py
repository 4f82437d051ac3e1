"""How pages and notebooks look; one set of rules for all tables."""

TABLE_RULES = """
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3em 0; }
th, td { padding: .18em .6em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th { vertical-align: bottom; } td, tbody th { vertical-align: baseline; }
.text { text-align: left; white-space: normal; min-width: 5em; } .detail { white-space: normal; min-width: 20em; }
tbody th { text-align: left; font-weight: 400; }
thead th { border-bottom: 2px solid #777; font-weight: 600; } thead td { border: 0; }
.group th { font-weight: 600; border-bottom: 1px solid #777; padding-top: 1em; }
.total td, .total th { font-weight: 600; }
.figure { font-weight: 600; font-size: 1.15em; }
.good { color: #1b6e3a; font-weight: 600; }
.bad { color: #8c2d04; font-weight: 600; }
.bar { text-align: left; min-width: 9em; }
.bar span { display: inline-block; height: .8em; background: #0072b2; vertical-align: middle; }
.below { color: #555; } details { font-size: .92em; } summary { cursor: pointer; }
"""

PAGE_RULES = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; margin: 2em; }
h1, h2, h3, p, ul, ol { max-width: 60em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; } h3 { font-size: 1em; margin: 1.6em 0 .4em; }
ul, ol { padding-left: 1.4em; }
.notice { border: 2px solid #8c2d04; color: #8c2d04; padding: .5em .8em; font-weight: 600; }
.wide { overflow-x: auto; margin-bottom: 1.2em; }
.picture { margin: 1em 0; } .picture svg { max-width: 100%; height: auto; } figcaption { color: #555; max-width: 60em; }
@media screen and (max-width: 700px) {
  body { margin: .8em; } .wide { font-size: .9em; } .wide th, .wide td { white-space: normal; padding: .18em .3em; }
  .wide td:not(.text):not(.detail) { white-space: nowrap; }
  .wide .text { min-width: 0; } .wide .detail { min-width: 8em; }
  .picture { overflow-x: auto; } .picture svg { max-width: none; }
}
@media print {
  body { margin: 0; font-size: 10pt; }
  .wide { overflow: visible; } .picture svg { break-inside: avoid; }
  h2, h3 { break-after: avoid; } tr { break-inside: avoid; } thead { display: table-header-group; }
  .bar span { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def rules_within(selector: str) -> str:
    """Return the rules of tables so that they hold within a selector only."""
    lines = []
    for rule in TABLE_RULES.replace("}", "}\n").splitlines():
        selectors, brace, rest = rule.partition("{")
        if brace:
            lines.append(", ".join(f"{selector} {one.strip()}" for one in selectors.split(",")) + " {" + rest)
    return "\n".join(lines)
