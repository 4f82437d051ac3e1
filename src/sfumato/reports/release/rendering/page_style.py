"""How the page of a release report looks: on a screen, on a narrow one, and on A4."""

STYLE = """
body { max-width: 72rem; margin: 2rem auto; padding: 0 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.8em; margin-bottom: .2em; }
h1, h2 { max-width: none; } h2 { border-top: 3px solid #222; padding-top: .6em; margin-top: 2.4em; }
h3 { font-size: 1.05em; }
.meta { color: #555; margin-top: 0; }
.verdict { font-size: 1.15em; line-height: 1.5; border-left: 5px solid #0072b2; padding: .1em .8em; margin: .8em 0;
  max-width: 51em; }
nav ol { columns: 2; font-size: .95em; padding-left: 1.6em; } nav li { break-inside: avoid; padding: .15em 0; }
a { color: #00558a; } a:focus { outline: 2px solid #d55e00; outline-offset: 2px; }
.wide table { max-width: 100%; } .wide caption { max-width: 60em; }
.wide thead th { white-space: normal; overflow-wrap: normal; } .wide td { overflow-wrap: normal; }
.wide td.text, .wide tbody th { white-space: pre-line; overflow-wrap: anywhere; }
.wide .detail { min-width: 16em; max-width: 44em; color: #333; font-size: .93em; }
.wide thead .detail { font-size: 1em; }
.wide tbody th { min-width: 11em; max-width: 22em; } .wide .below { font-size: .95em; }
.wide th a { color: inherit; text-decoration: underline dotted #999; text-underline-offset: .2em; }
.wide td.good, .wide td.bad { white-space: nowrap; }
.bad::before { content: "\\2717  "; } .good::before { content: "\\2713  "; }
pre { background: #f6f6f6; border: 1px solid #ddd; padding: .7em; white-space: pre-wrap; font-size: .85em; }
dt { font-weight: 600; margin-top: .7em; } dd { margin: 0 0 0 1.2em; max-width: 60em; }
dt:target, dt:focus { background: #fdf3c7; }
.picture svg { background: white; }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(19em, 1fr)); gap: .8em 1.4em; }
.small svg { width: 100%; } .small figcaption { grid-column: 1 / -1; order: -1; }
.flowing { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30em), 1fr)); gap: .8em 1.4em; }
.flowing svg { width: 100%; } .flowing figcaption { grid-column: 1 / -1; order: -1; }
.panel p { margin: .1em 0 0; font-size: .87em; color: #444; }
.form table { width: 100%; max-width: 60em; } .form td { height: 2.6em; width: 60%; border-bottom: 1px solid #777; }
.form thead { display: none; }
@media screen and (max-width: 700px) {
  body { padding: 0 .2rem; margin: .8em; } nav ol { columns: 1; }
  .wide td:not(.text):not(.detail) { white-space: nowrap; }
  .wide .detail { min-width: 8em; } .wide tbody th { min-width: 6.5em; } .picture svg { max-width: 100%; }
  .wide .text:not(.detail) { min-width: 6em; }
  .many { font-size: .76em; }
  .many .wide tbody th { min-width: 5.5em; } .many .wide :is(td, th) { padding: .2em .25em; }
  .stacked thead { display: none; }
  .stacked tr, .stacked th, .stacked td { display: block; max-width: none; border: 0; }
  .stacked tr { border-bottom: 1px solid #ddd; padding: .3em 0; } .stacked tbody th { font-weight: 600; }
  .explained tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid #ddd; }
  .explained th, .explained td { border: 0; box-sizing: border-box; padding-right: .4em; }
  .explained tr > :first-child { flex: 1 1 8em; max-width: none; }
  .explained tr > :not(:first-child) { flex: 0 0 auto; min-width: 5.6em; }
  .explained tr > .detail { flex: 1 1 100%; max-width: 100%; min-width: 0; } .explained thead .detail { display: none; }
  .cells { font-size: .78em; } .cells .wide tbody th { min-width: 5em; } .cells .wide thead th { padding: .1em .2em; }
}
@page { size: A4; margin: 13mm 13mm; }
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 8.5pt; line-height: 1.3; }
  .verdict { font-size: 1.08em; line-height: 1.35; margin: .5em 0; max-width: none; }
  p, ul { margin: .45em 0; max-width: none; } li { margin: .1em 0; max-width: none; }
  h1 { font-size: 1.5em; } h3 { margin: .9em 0 .3em; } h2 { font-size: 1.25em; }
  dl { columns: 2; column-gap: 2em; font-size: .92em; } dt { margin-top: .35em; } dd { break-inside: avoid; }
  pre { font-size: .78em; padding: .4em; } .form td { height: 1.9em; }
  h2, h3, caption, dt { break-after: avoid; } h2 + *, h3 + * { break-before: avoid; }
  tr { break-inside: avoid; } h2 { margin-top: 1.1em; padding-top: .3em; }
  figure { break-inside: avoid; } .picture svg { max-width: 100%; } .form { break-inside: avoid; }
  thead, tbody tr:first-child { break-after: avoid; } figcaption { break-before: avoid; }
  figure.small, figure.flowing { break-inside: auto; }
  a { color: inherit; text-decoration: none; }
  .wide table { width: 100%; } .wide .detail { min-width: 14em; max-width: none; }
  .wide td.text:not(.detail) { min-width: 8em; max-width: 15em; }
  .small { grid-template-columns: repeat(4, 1fr); gap: .4em .7em; } .panel { break-inside: avoid; }
  .flowing { grid-template-columns: repeat(2, 1fr); }
  .wide td, .wide th { padding: .1em .35em; }
  .wide tbody th { min-width: 9em; max-width: 30em; } .explained .wide tbody th { max-width: 17em; }
  .wide tbody th:has(+ td.text:not(.detail):not(:last-child)) { width: 30%; }
  .wide td.text:last-child { max-width: none; } .wide tbody th:has(+ td.text:last-child) { width: 20%; }
  .form th { width: 45% !important; max-width: none !important; } .explained .wide tbody th { width: 22%; }
  figure.picture:not(.small, .flowing) > svg { max-height: 5.2cm; }
  .stacked .wide tbody th:has(+ td.text:not(.detail)) { width: 13%; }
  .stacked .wide td.text:not(.detail) { min-width: 12em; max-width: 22em; overflow-wrap: break-word; }
  nav ol { columns: 3; column-gap: 2.5em; margin: .3em 0; }
  h2, .meta { margin-bottom: .3em; } .notice { padding: .25em .6em; margin: .4em 0; } figcaption { font-size: .9em; }
}
"""
