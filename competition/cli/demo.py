"""`competition demo`."""

import click


class Demo(click.Command):
    """Loads the demo when it is wanted: its libraries are an extra of the package."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        try:
            from competition.demo.command import demo
        except ModuleNotFoundError as error:
            if error.name not in ("httpx", "rich"):
                raise
            raise click.ClickException(
                "The demo needs more packages: pip install 'competition[demo]'"
            ) from None
        return demo.make_context(info_name, args, parent, **extra)


demo = Demo("demo", short_help="Play a whole season on a development service.")
