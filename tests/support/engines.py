"""Firefox and WebKit, the engine of Safari, in the builds of Debian, which Playwright can't drive.

Standards of the W3C drive both: WebDriver BiDi drives Firefox, and WebDriver drives WebKit. The
format of actions, such as a press, is the same in both.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

from competition.testing.waiting import PATIENCE, wait_until
from tests.support.ports import free_port
from tests.support.programs import FIREFOX, WEBKIT_DRIVER, XVFB, find

PAUSE = 0.2
# JavaScript: the first visible element that the CSS selector SELECTOR finds, and whose text or
# name for screen readers contains TEXT.
FIND = """
const found = [...document.querySelectorAll(SELECTOR)].find(each => {
  const name = each.ariaLabel ?? each.textContent;
  return each.checkVisibility() && name.replace(/\\s+/g, " ").includes(TEXT);
});
"""
# JavaScript: scroll to the element that FIND has found. Returns the position of its middle in the
# window, in pixels.
MIDDLE = """
found?.scrollIntoView({block: "center", behavior: "instant"});
const box = found?.getBoundingClientRect();
return box ? [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] : null;
"""


class Engine(Protocol):
    """A running browser with one page."""

    def open(self, url: str) -> None:
        """Go to an address, and wait until the document is loaded."""

    def run(self, script: str) -> Any:
        """Run the body of a JavaScript function in the page. Returns its result."""

    def act(self, actions: list[dict[str, Any]]) -> None:
        """Press keys or buttons. The chapter "Actions" of WebDriver has the format."""


@dataclass
class Page:
    """A page in such a browser. Each method waits until the page shows what the method needs. After
    `PATIENCE` seconds it raises AssertionError, with the text of the page."""

    engine: Engine

    def shows(self, text: str, selector: str) -> None:
        self._wait(lambda: self._find(selector, text, "return found !== undefined"))

    def press(self, selector: str, text: str = "") -> None:
        x, y = self._wait(lambda: self._find(selector, text, MIDDLE))
        move = {"type": "pointerMove", "x": x, "y": y}
        press = [{"type": each, "button": 0} for each in ("pointerDown", "pointerUp")]
        self.engine.act([{"type": "pointer", "id": "mouse", "actions": [move, *press]}])

    def write(self, selector: str, text: str) -> None:
        self.press(selector)
        keys = [{"type": each, "value": key} for key in text for each in ("keyDown", "keyUp")]
        self.engine.act([{"type": "key", "id": "keyboard", "actions": keys}])

    def _find(self, selector: str, text: str, then: str) -> Any:
        names = f"const SELECTOR = {json.dumps(selector)}, TEXT = {json.dumps(text)};"
        return self.engine.run(names + FIND + then)

    def _wait(self, result: Callable[[], Any]) -> Any:
        found: list[Any] = []
        try:
            wait_until(lambda: found.append(result()) or found[-1], pause=PAUSE)
        except AssertionError as error:
            raise AssertionError(self.engine.run("return document.body.innerText")) from error
        return found[-1]


@dataclass
class Firefox:
    """Firefox, through WebDriver BiDi."""

    connection: ClientConnection
    # The errors and warnings on the console.
    complaints: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _context: str = ""

    def start(self) -> None:
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        [context] = self._call("browsingContext.getTree")["contexts"]
        self._context = context["context"]

    def open(self, url: str) -> None:
        self._call("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def run(self, script: str) -> Any:
        reply = self._call(
            "script.evaluate",
            # BiDi has a format of its own for values. JSON.stringify(undefined) is undefined.
            expression=f"JSON.stringify((() => {{{script}}})())",
            target={"context": self._context},
            awaitPromise=False,
        )
        assert reply["type"] == "success", reply
        return json.loads(reply["result"].get("value", "null"))

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._call("input.performActions", context=self._context, actions=actions)

    def _call(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters}
        self.connection.send(json.dumps(command))
        while True:
            message = json.loads(self.connection.recv(PATIENCE))
            if message.get("method") == "log.entryAdded":
                entry = message["params"]
                if entry["level"] in ("error", "warn"):
                    self.complaints.append(entry["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]


@dataclass
class WebKit:
    """The browser of WebKitGTK, through WebDriver. WebDriver can't read the console."""

    address: str

    def start(self) -> None:
        wait_until(self._is_ready, pause=PAUSE)
        session = self._call("POST", "/session", capabilities={})
        self.address += f"/session/{session['sessionId']}"

    def close(self) -> None:
        self._call("DELETE", "")

    def open(self, url: str) -> None:
        self._call("POST", "/url", url=url)

    def run(self, script: str) -> Any:
        return self._call("POST", "/execute/sync", script=script, args=[])

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._call("POST", "/actions", actions=actions)

    def _is_ready(self) -> bool:
        with suppress(OSError):
            return bool(self._call("GET", "/status")["ready"])
        return False

    def _call(self, method: str, path: str, **body: Any) -> Any:
        sent = json.dumps(body).encode() if method == "POST" else None
        headers = {"Content-Type": "application/json"}
        request = Request(self.address + path, sent, headers, method=method)
        try:
            with urlopen(request, timeout=PATIENCE) as response:
                return json.load(response)["value"]
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from error


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Context manager: Firefox, with its profile in a folder. At the end, it raises AssertionError
    if the pages have written errors or warnings to the console."""
    log = folder / "log"
    port = free_port()
    command = [find(FIREFOX) or "", "--headless", "--profile", str(folder)]
    with _running(log, *command, "--remote-debugging-port", str(port)):
        address = f"ws://127.0.0.1:{port}"
        wait_until(lambda: address in log.read_text(), pause=PAUSE)
        with connect(f"{address}/session", max_size=None) as connection:
            browser = Firefox(connection)
            browser.start()
            yield browser
            assert browser.complaints == []


@contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """Context manager: WebKit, with its logs in a folder. It needs a display, and gets its own."""
    display = folder / "display"
    port = free_port()
    with _running(display, find(XVFB) or "", "-displayfd", "1"):
        wait_until(lambda: display.read_text().endswith("\n"), pause=PAUSE)
        number = display.read_text().split()[-1]
        command = [find(WEBKIT_DRIVER) or "", f"--port={port}"]
        with _running(folder / "log", *command, DISPLAY=f":{number}"):
            browser = WebKit(f"http://127.0.0.1:{port}")
            browser.start()
            try:
                yield browser
            finally:
                browser.close()


@contextmanager
def _running(log: Path, *command: str, **environment: str) -> Iterator[None]:
    """Context manager: a running program. Its output is in the file `log`."""
    with (
        log.open("w") as output,
        subprocess.Popen(
            command, stdout=output, stderr=output, env=os.environ | environment
        ) as process,
    ):
        try:
            yield
        finally:
            process.terminate()
