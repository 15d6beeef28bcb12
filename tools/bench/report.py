"""Show the results as a table, as JSON, and as a chart of how each path scales."""

import json
import math
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
# The measures of the chart, in pixels.
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 860, 520, 60, 40, 20, 280
COLORS = ("#1b6ca8", "#c0392b", "#1e8449", "#8e44ad", "#b9770e", "#148f77", "#5d6d7e", "#d35400")


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
    """A chart in SVG: the cost of each path relative to A, by the number of candidates.

    Both axes are logarithmic.
    """
    sizes = sorted(runs)
    lines: dict[str, list[tuple[int, float]]] = {}
    for size in sizes:
        for each in runs[size]:
            lines.setdefault(each.path, []).append((size, each.in_a))
    costs = [cost for line in lines.values() for _, cost in line]
    lowest, highest = 2 ** math.floor(math.log2(min(costs))), 2 ** math.ceil(math.log2(max(costs)))

    def x(size: int) -> float:
        share = math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0] if sizes[1:] else 10)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(cost: float) -> float:
        share = math.log(cost / lowest) / math.log(highest / lowest)
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    step = lowest
    while step <= highest:
        drawn.append(
            f'<path d="M{LEFT} {y(step):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
            f'<text x="{LEFT - 8}" y="{y(step) + 4:.1f}" text-anchor="end">{step:g} A</text>'
        )
        step *= 2
    drawn += [
        f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">'
        f"{size:,} candidates</text>"
        for size in sizes
    ]
    # Place names at the ends of their lines, without overlaps.
    below = math.inf
    for number, (name, line) in enumerate(sorted(lines.items(), key=lambda each: each[1][-1][1])):
        color = COLORS[number % len(COLORS)]
        points = " ".join(f"{x(size):.1f},{y(cost):.1f}" for size, cost in line)
        below = min(y(line[-1][1]), below - 15)
        drawn.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>'
            f'<text x="{WIDTH - RIGHT + 10}" y="{below + 4:.1f}" fill="{color}">'
            f"{name}: {line[-1][1]:.1f}</text>"
        )
    return "\n".join([*drawn, "</svg>\n"])
