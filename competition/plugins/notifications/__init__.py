"""What users are told: kept, listed, marked as read, and pushed to open sockets."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.add_feed("notifications", latest=".services.latest_id", load=".sockets.activities")
    config.add_socket_action("mark_as_read", ".sockets.mark_as_read")
    config.scan()
