"""A season of the league with the keyboard alone: in the console, and for two candidates in the
portal.
"""

from tests.support.programs import CHROMIUM, needs_program
from tests.support.season import Season

pytestmark = needs_program(CHROMIUM)


def test_a_season_with_the_keyboard(site):
    # These errors are part of the season: a candidate's connection is cut, tokens expire while the
    # clock moves, and a leaderboard that is not published is a 404. Chromium's PDF viewer requests
    # its own files.
    site.tolerate(r"Failed to load resource|bad HTTP response code \(504\)")
    site.tolerate(r"request: chrome(-extension)?:")
    Season(site).run()
