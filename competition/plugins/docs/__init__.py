"""What a client asks before anything else: is the service up, and what can it do."""

from pyramid.config import Configurator

from competition.plugins.docs import pages

A_DAY = 24 * 60 * 60


def includeme(config: Configurator) -> None:
    config.add_static_view("docs/assets", str(pages.assets()), cache_max_age=A_DAY)
    config.add_static_view("docs/static", "static", cache_max_age=A_DAY)
    config.scan()
