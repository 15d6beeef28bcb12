"""A plugin whose endpoints misbehave on purpose."""

from pyramid.config import Configurator
from pyramid.response import Response


def includeme(config: Configurator) -> None:
    config.add_content_type("svg", "image/svg+xml")
    config.add_route("plain", "/plain/{kind}/")
    for kind, options in {"open": {}, "guarded": {"permission": "anything"}}.items():
        config.add_view(
            lambda request: Response("A plain view."),
            route_name="plain",
            match_param=f"kind={kind}",
            **options,
        )
    config.scan()
