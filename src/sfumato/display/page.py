"""HTML pages that stand alone: one file, no script, nothing loaded from elsewhere, black on white on paper."""

from collections.abc import Iterable
from html import escape

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; margin: 2em; }
h1, h2, h3, p, ul { max-width: 60em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; } h3 { font-size: 1em; margin: 1.6em 0 .4em; }
ul { padding-left: 1.2em; }
.notice { border: 2px solid #8c2d04; color: #8c2d04; padding: .5em .8em; font-weight: 600; }
.wide { overflow-x: auto; margin-bottom: 1.2em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3em 0; }
th, td { padding: .18em .6em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
tbody th { text-align: left; font-weight: 400; }
thead th { border-bottom: 2px solid #777; } thead td { border: 0; }
@media print {
  body { margin: 0; font-size: 10pt; }
  .wide { overflow: visible; }
  tr { break-inside: avoid; } thead { display: table-header-group; }
}
"""


def page(title: str, parts: Iterable[str], *, style: str = "", notice: str = "") -> str:
    """Return a page.

    Parameters
    ----------
    title
        The heading, as plain text.
    parts
        What comes below, as HTML.
    style
        Rules beyond those of every page.
    notice
        A sentence that must not be overlooked, above all others; plain text.
    """
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}{style.lstrip()}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        *([f'<p class="notice">{escape(notice)}</p>'] if notice else []),
        *parts,
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"
