"""Show the results as a table, as JSON, and as a chart of what each path costs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools.bench.measure import Measured

COLUMNS = (
    ("path", 32),
    ("req/s", 7),
    ("p50 ms", 8),
    ("p99 ms", 8),
    ("CPU ms", 8),
    ("SQL", 5),
    ("in A", 7),
    ("at most", 8),
    ("in bare", 8),
)
# Sizes in the chart, in pixels: its width, the columns to the left and right of the bars, and the
# height of a line.
WIDTH, LEFT, RIGHT, LINE = 860, 210, 60, 22
# The colors of the processes in the chart, and that of the limits.
COLORS = {
    "api": "#1b6ca8",
    "worker": "#1e8449",
    "sockets": "#148f77",
    "postgres": "#b9770e",
    "valkey": "#8e44ad",
}
LIMIT = "#000"


def heading() -> str:
    return "".join(
        name.ljust(width) if name == "path" else name.rjust(width) for name, width in COLUMNS
    )


def row(measured: Measured) -> str:
    values = (
        f"{measured.per_second:.0f}",
        f"{measured.p50:.1f}",
        f"{measured.p99:.1f}",
        f"{measured.total:.2f}",
        str(measured.statements),
        f"{measured.in_a:.2f}",
        f"{measured.at_most:g}",
        f"{measured.in_bare:.1f}",
    )
    widths = [width for _, width in COLUMNS]
    cells = [measured.path.ljust(widths[0])]
    cells += [value.rjust(width) for value, width in zip(values, widths[1:], strict=True)]
    parts = ", ".join(f"{name} {spent:.2f}" for name, spent in measured.cpu.items())
    return f"{''.join(cells)}   {parts}"


def as_json(runs: Mapping[int, Sequence[Measured]]) -> dict[str, Any]:
    return {
        "runs": [
            {"candidates": candidates, "paths": [asdict(each) for each in measured]}
            for candidates, measured in runs.items()
        ]
    }


def write_json(file: Path, runs: Mapping[int, Sequence[Measured]]) -> None:
    file.write_text(json.dumps(as_json(runs), indent=2) + "\n")


def picture(runs: Mapping[int, Sequence[Measured]]) -> str:
    """A chart in SVG. Each path has a bar. The bar shows the path's cost relative to baseline A, by
    process, and its limit.
    """
    most = max(max(each.in_a, each.at_most) for run in runs.values() for each in run)
    scale = (WIDTH - LEFT - RIGHT) / most
    drawn = [
        f'<g transform="translate({LEFT + 100 * number} 16)"><rect y="-10" width="12" height="12"'
        f' fill="{color}"/><text x="18">{name}</text></g>'
        for number, (name, color) in enumerate({**COLORS, "limit": LIMIT}.items())
    ]
    top = 2 * LINE
    for candidates, run in sorted(runs.items()):
        drawn.append(f'<text y="{top}" font-weight="bold">{candidates:,} candidates</text>')
        for each in run:
            top += LINE
            drawn.append(f'<g transform="translate({LEFT} {top})">{_bar(each, scale)}</g>')
        top += 2 * LINE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {WIDTH + 20} {top}"'
            ' font-family="sans-serif" font-size="12">',
            f'<rect x="-10" y="-10" width="{WIDTH + 20}" height="{top}" fill="white"/>',
            *drawn,
            "</svg>\n",
        ]
    )


def _bar(measured: Measured, scale: float) -> str:
    """The bar of a path. `scale` is how many pixels stand for the cost of baseline A."""
    drawn = [f'<text x="-8" y="12" text-anchor="end">{measured.path}</text>']
    x = 0.0
    for name, spent in measured.cpu.items():
        # A difference of two readings can be slightly negative.
        width = max(0.0, spent / measured.total * measured.in_a * scale)
        drawn.append(f'<rect x="{x:.1f}" width="{width:.1f}" height="16" fill="{COLORS[name]}"/>')
        x += width
    limit = measured.at_most * scale
    drawn += [
        f'<path d="M{limit:.1f} -1V17" stroke="{LIMIT}" stroke-width="2"/>',
        f'<text x="{max(x, limit) + 8:.1f}" y="12">{measured.in_a:.1f} A</text>',
    ]
    return "".join(drawn)
