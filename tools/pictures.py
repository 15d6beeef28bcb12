"""`make pictures`: pictures of the pages for the documentation, from the season of `make demo`.

The pages are those of the running service of `make run`, on which `make demo` has played. They are
shown in Debian's Chromium. Each picture is written to `docs/pictures/` with few colours, because
the repository keeps them.
"""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"
CHROMIUM = "/usr/bin/chromium"
PHONE = {"width": 360, "height": 740}
SCREEN = {"width": 1280, "height": 800}
COLOURS = 64


@click.command()
@click.option("--var", type=click.Path(path_type=Path), default=ROOT / "var", show_default=True)
def main(var: Path) -> None:
    """Write pictures of the pages to docs/pictures."""
    service = json.loads((var / "dev.json").read_text())
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        _console(browser, service)
        _portal(browser, service)
        browser.close()


def _console(browser: Browser, service: dict[str, Any]) -> None:
    ids = _ids(service)
    places = {
        "home": "",
        "candidates": "candidates?search=hillside",
        "candidate": f"candidates/{ids['candidate']}",
        "documents": "documents",
        "questions": "questions",
        "plan": f"exams/{ids['open']}",
        "paper": f"exams/{ids['open']}/paper",
        "day": f"exams/{ids['open']}/day",
        "results": f"exams/{ids['over']}/results",
        "regrades": f"exams/{ids['over']}/regrades",
        "board": "boards/screening/1",
        "advancement": "advancement",
        "broadcast": "broadcasts/new",
    }
    with _device(browser, service, SCREEN) as page:
        _sign_in(page, "/console/sign-in", service["superadmin"]["email"], service)
        for name, path in places.items():
            page.goto(f"/console/{path}")
            _settle(page)
            _keep(page, f"console-{name}")


def _portal(browser: Browser, service: dict[str, Any]) -> None:
    with _device(browser, service, PHONE) as page:
        page.goto("/")
        _settle(page)
        _keep(page, "portal-start")
        _sign_in(page, "/sign-in", service["logins"]["candidate"], service)
        _keep(page, "portal-home")
        page.goto(f"/exams/{_ids(service)['open']}")
        page.get_by_role("button", name="Start").click()
        for letter in "BCDA":
            page.get_by_role("radio").nth("ABCD".index(letter)).click()
            page.get_by_role("button", name="Next").click()
        page.get_by_text("answers saved at").wait_for()
        page.get_by_role("link", name="Question 4:").click()
        _keep(page, "portal-exam")
        # Longer than one lost reply.
        page.context.set_offline(True)
        page.get_by_role("link", name="Question 7:").click()
        page.get_by_role("radio").first.click()
        page.get_by_text("saved on this device only.").wait_for()
        page.get_by_text("No connection").first.wait_for(timeout=90_000)
        _keep(page, "portal-no-connection")
        page.context.set_offline(False)
        page.locator(".bar").get_by_text("All 5 answers saved at").wait_for(timeout=90_000)
        page.get_by_role("link", name="All questions").click()
        page.get_by_role("button", name="Submit now").click()
        _keep(page, "portal-submitting")
        page.get_by_role("dialog").get_by_role("button", name="Submit 5 answers").click()
        page.get_by_text("The receipt is genuine").wait_for()
        _keep(page, "portal-submitted")


@contextmanager
def _device(browser: Browser, service: dict[str, Any], size: dict[str, int]) -> Iterator[Page]:
    """A page of a new device, in the league's time zone."""
    root = service["base_url"].removesuffix("/v1")
    context = browser.new_context(
        base_url=root,
        viewport=size,  # type: ignore[arg-type]  # a TypedDict of Playwright
        has_touch=size is PHONE,
        device_scale_factor=1,
        reduced_motion="reduce",
        color_scheme="light",
        timezone_id="Africa/Lagos",
        locale="en-GB",
    )
    page = context.new_page()
    try:
        yield page
    finally:
        context.close()


def _sign_in(page: Page, path: str, email: str, service: dict[str, Any]) -> None:
    page.goto(path)
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(service["superadmin"]["password"])
    page.locator("form").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)
    _settle(page)


def _settle(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.locator(".lines").first.wait_for(state="detached")


def _keep(page: Page, name: str) -> None:
    picture = Image.open(io.BytesIO(page.screenshot()))
    few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(FOLDER / f"{name}.png", optimize=True)
    click.echo(f"{FOLDER / name}.png")


def _ids(service: dict[str, Any]) -> dict[str, Any]:
    """The exam that is open, one that is over, and a candidate who has taken it."""
    key = {"X-Api-Key": service["api_key"]}
    login = {name: service["superadmin"][name] for name in ("email", "password")}
    with httpx.Client(base_url=service["base_url"], headers=key) as client:
        access = client.post("/auth/login/", json=login).raise_for_status().json()["access"]
        client.headers["Authorization"] = f"Bearer {access}"

        def first(path: str) -> dict[str, Any]:
            found: dict[str, Any] = client.get(path).raise_for_status().json()["results"][0]
            return found

        over = first("/exams/?status=concluded&stage=screening&ordering=-id")["id"]
        scores = client.get(f"/exams/{over}/scores/").raise_for_status().json()["results"]
        return {
            "open": first("/exams/?status=ongoing&ordering=-id")["id"],
            "over": over,
            "candidate": scores[0]["candidate_id"],
        }


if __name__ == "__main__":
    main()
