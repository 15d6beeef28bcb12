"""Commands that know plugins, as the command line does not: each is loaded when it is wanted."""

from importlib import import_module

import click


class Program(click.Command):
    """The command `name` of the package ``competition.<package>``, in its module `command`.
    `libraries` are those that the extra `demo` brings."""

    def __init__(
        self, name: str, package: str, short_help: str, libraries: tuple[str, ...] = ()
    ) -> None:
        super().__init__(name, short_help=short_help)
        self._package = package
        self._libraries = libraries

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        try:
            module = import_module(f"competition.{self._package}.command")
        except ModuleNotFoundError as error:
            if error.name not in self._libraries:
                raise
            raise click.ClickException(
                f"`competition {self.name}` needs more packages: pip install 'competition[demo]'"
            ) from None
        command: click.Command = getattr(module, str(self.name))
        return command.make_context(info_name, args, parent, **extra)


rehearse = Program(
    "rehearse",
    "rehearsal",
    "Play an exam day against the service that runs.",
    libraries=("httpx",),
)

bench = Program("bench", "bench", "Measure what requests cost on this machine.")
