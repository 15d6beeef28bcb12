"""What users are told: kept, listed, marked as read, and pushed to open sockets."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    config.add_feed("notifications", latest=".services.latest_id", load=".sockets.activities")
    config.add_socket_action("mark_as_read", ".sockets.mark_as_read")
    config.add_examples(
        subject="The second round",
        message="The second round begins on Saturday at ten.",
        read=False,
        ticket="q3Zk0vXJ1m",
        expires_in=30,
    )
    config.scan()
