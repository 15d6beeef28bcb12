"""A season of the league with the keyboard alone. The season is that of the mouse."""

from tests.support.acting import Keyboard
from tests.support.programs import CHROMIUM, needs_program
from tests.support.season import Season

pytestmark = needs_program(CHROMIUM)


def test_a_season_with_the_keyboard(site):
    # These errors are part of the season: a candidate's connection is cut, tokens expire while the
    # clock moves, and a leaderboard that is not published is a 404. The browser shows PDF files
    # with an extension of its own.
    site.tolerate(r"Failed to load resource|bad HTTP response code \(504\)")
    site.tolerate(r"request: chrome(-extension)?:")
    Season(site, Keyboard).run()
