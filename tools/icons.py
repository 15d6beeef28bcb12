"""Draw the portal's icons in PNG from its `icon.svg`: `python -m tools.icons`.

Phones that install the portal need PNG files. In the `maskable` icon, the colour reaches the edges,
because the phone cuts the icon into its own shape. The letter is in the middle, which the phone
never cuts off.
"""

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

STATIC = Path(__file__).parents[1] / "competition/plugins/portal/static"
CHROMIUM = "/usr/bin/chromium"
# The rounded corners of the SVG.
CORNERS = ' rx="7"'
COLOURS = 32


def main() -> None:
    svg = (STATIC / "icon.svg").read_text()
    assert CORNERS in svg
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, source, size in (
            ("icon-192.png", svg, 192),
            ("icon-512.png", svg, 512),
            ("icon-maskable-512.png", svg.replace(CORNERS, ""), 512),
        ):
            (STATIC / name).write_bytes(_drawn(browser, source, size))
        browser.close()


def _drawn(browser: Browser, svg: str, size: int) -> bytes:
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
    shot = page.screenshot(omit_background=True)
    page.close()
    picture = Image.open(io.BytesIO(shot)).convert("RGBA").quantize(COLOURS)
    drawn = io.BytesIO()
    picture.save(drawn, "PNG", optimize=True)
    return drawn.getvalue()


if __name__ == "__main__":
    main()
