"""The report of the benchmark."""

import json
from itertools import islice
from xml.etree import ElementTree

from click.testing import CliRunner

from competition.testing.waiting import PATIENCE
from tools.bench import report
from tools.bench.command import bench
from tools.bench.load import Pace
from tools.bench.measure import Measured
from tools.bench.paths import PATHS, unchanged

SVG = "{http://www.w3.org/2000/svg}"


def measured(path, in_a):
    return Measured(
        path=path,
        per_second=100,
        p50=2,
        p99=9,
        cpu={"api": 1.5, "postgres": 0.5},
        in_a=in_a,
        in_bare=10,
        at_most=2,
        statements=3,
    )


RUNS = {
    1000: [measured("health", 1), measured("list", 4)],
    100_000: [measured("health", 1), measured("list", 40)],
}


def test_a_row_has_the_columns_of_the_heading():
    heading, row = report.heading().split(), report.row(RUNS[1000][1]).split()
    assert heading[0] == "path" and row[0] == "list"
    assert "CPU" in heading
    # 2 ms of CPU, 3 statements, and a cost of 4 times baseline A, with a limit of 2.
    assert row[4:9] == ["2.00", "3", "4.00", "2", "10.0"]


def test_the_json_contains_all_measurements(tmp_path):
    report.write_json(tmp_path / "runs.json", RUNS)
    written = json.loads((tmp_path / "runs.json").read_text())["runs"]
    assert [each["candidates"] for each in written] == [1000, 100_000]
    assert written[1]["paths"][1]["in_a"] == 40


def test_the_picture_has_a_bar_for_each_path():
    drawn = ElementTree.fromstring(report.picture(RUNS))
    texts = [each.text for each in drawn.iter(f"{SVG}text")]
    assert {"1,000 candidates", "100,000 candidates"} <= set(texts)
    assert {"health", "list", "1.0 A", "4.0 A", "40.0 A"} <= set(texts)
    # All parts of a bar together are as long as the cost in A. The mark of the limit has the same
    # scale.
    bars = [
        float(each.get("width")) for each in drawn.iter(f"{SVG}rect") if each.get("height") == "16"
    ]
    api, postgres = bars[-2:]
    assert api == 3 * postgres
    [limit] = {each.get("d") for each in drawn.iter(f"{SVG}path")}
    assert float(limit.split()[0].removeprefix("M")) == round((api + postgres) / 20, 1)


def test_the_command_names_every_path():
    shown = CliRunner().invoke(bench, ["--help"], terminal_width=2000).output
    assert all(path.name in shown for path in PATHS)


def test_a_repeated_request_sends_the_etag(monkeypatch):
    head = b'HTTP/1.1 200 OK\r\nETag: "abc"\r\nContent-Length: 0'
    monkeypatch.setattr("tools.bench.paths.ask", lambda port, sent: (200, head, b""))
    [sent] = unchanged(1, [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"])
    assert sent == b'GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: "abc"\r\n\r\n'


def test_the_wait_of_a_late_request_begins_when_it_was_due():
    pace = Pace(seconds=PATIENCE, every=0.001)
    due = [at for at, _ in islice(pace.of([b"one", b"two"]), 20)]
    assert [round(at - due[0], 3) for at in due] == [n / 1000 for n in range(len(due))]
