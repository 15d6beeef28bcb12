"""The OpenAPI document of the service, and pages that show it."""

from pyramid.config import Configurator

from competition.core.web.pages import A_DAY, READING


def includeme(config: Configurator) -> None:
    # Below /v1, beside the pages that use them; `config.add_static_files` would put them outside.
    config.add_static_view("docs/static", "static", cache_max_age=A_DAY, request_method=READING)
    config.scan()
