"""Leaderboards: the published ranks of each stage and round.

A job publishes by writing an immutable snapshot of all leaderboards. Readers page through the
latest snapshot by position, so that it serves as the cache (spec "Leaderboard"). The next snapshot
replaces it at once.
"""

from pyramid.config import Configurator

REQUIRES = ("scores",)
VISIBLE = "leaderboard_visible"
VISIBLE_BY_DEFAULT = True
SCORE_PUBLICATION = "score_publication"


def includeme(config: Configurator) -> None:
    config.add_flag(
        VISIBLE,
        default=VISIBLE_BY_DEFAULT,
        description="Candidates may read the leaderboards.",
    )
    config.add_flag(
        SCORE_PUBLICATION, default=False, description="Staff may use POST /publish-scores/."
    )
    config.add_examples(
        message="The leaderboards are being published.",
        snapshot_id=3,
        publish_at="2026-03-15T12:00:00Z",
        rank=1,
        total_candidates=120,
        total_questions=40,
        is_correct=True,
    )
    config.scan()
