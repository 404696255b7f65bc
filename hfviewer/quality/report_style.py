"""How the report looks: light, quiet, to be read on paper as well. Colours of the light theme."""

from __future__ import annotations

from hfviewer.core.stream import StreamKind

KIND_COLOURS = {
    StreamKind.IMAGE: "#0b6e8c",
    StreamKind.DEPTH: "#6a40c4",
    StreamKind.POINTS: "#3b6e12",
    StreamKind.IMU: "#b0266f",
    StreamKind.SIGNAL: "#b0266f",
    StreamKind.POSE: "#7a5a12",
    StreamKind.MATRIX: "#4455b8",
}
OTHER_COLOUR = "#4455b8"

CSS = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 28px 32px 64px; background: #f7f9fb; color: #161b22;
  font: 13px/1.45 Inter, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 36px 0 6px; overflow-wrap: anywhere; }
h3 { font-size: 13px; margin: 20px 0 6px; color: #3e4957; }
p { margin: 4px 0; } .quiet { color: #535e6c; }
table { border-collapse: collapse; width: 100%; margin: 6px 0; background: #fff; border: 1px solid #cfd7e1; }
th, td { text-align: left; padding: 4px 10px; border-bottom: 1px solid #e0e6ed; vertical-align: top;
  overflow-wrap: break-word; }
th { background: #ebeff4; font-weight: 600; white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; } td.t { white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
.bad { font-weight: 600; color: #b3261e; } .odd { font-weight: 600; color: #855300; }
.tag { display: inline-block; white-space: nowrap; font-weight: 600; }
.tag svg { width: 13px; height: 13px; vertical-align: -2px; margin-right: 5px; }
.error { color: #b3261e; } .warning { color: #855300; } .info { color: #22609f; } .ok { color: #17703f; }
.lanes { background: #fff; border: 1px solid #cfd7e1; margin: 6px 0; display: block; width: 100%;
  height: auto; }
.lanes text { font: 11px Inter, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
.lanes text.b { font-weight: 600; }
.places { display: flex; flex-wrap: wrap; gap: 14px; }
.place { background: #fff; border: 1px solid #cfd7e1; padding: 10px 12px; width: 530px; break-inside: avoid; }
.place .pair { display: flex; gap: 6px; align-items: stretch; margin-top: 6px; }
.place figure { margin: 0; width: 226px; } .place img { width: 100%; display: block; background: #05070a; }
.place figcaption { color: #535e6c; font-size: 12px; }
.place .hole { width: 42px; display: flex; align-items: center; justify-content: center; color: #b3261e;
  font-weight: 600; background: repeating-linear-gradient(135deg, #fbe0dd 0 5px, #fff 5px 10px); }
.none { background: #ebeff4; color: #535e6c; padding: 40px 10px; text-align: center; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 6px 0; }
dt { font-weight: 600; } dd { margin: 0; }
a { color: #2459c8; text-decoration: none; }
@media print {
  body { background: #fff; padding: 0; max-width: none; font-size: 10.5px; }
  h2 { break-after: avoid; } h3 { break-after: avoid; } section + section { break-before: page; }
  tr, .place, .lanes { break-inside: avoid; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  @page { margin: 14mm; }
}
"""
