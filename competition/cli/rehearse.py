from datetime import timedelta

import click

from competition.cli.ini import Ini, ini_argument


@click.command(short_help="Play an exam day on the running service.")
@click.option(
    "--candidates",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many candidates take part.",
)
@click.option(
    "--questions",
    type=click.IntRange(1, 500),
    default=20,
    show_default=True,
    help="How many questions the exam has.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0.1, 60),
    default=2,
    show_default=True,
    help="How long the exam lasts, in minutes.",
)
@click.option(
    "--save-every",
    type=click.FloatRange(0.5),
    default=15,
    show_default=True,
    help="Seconds between two saves of a candidate.",
)
@click.option(
    "--base-url",
    help="The URL of the api, with /v1. By default, the host and port are those in INI.",
)
@click.option("--among-others", is_flag=True, help="Run even if the final has real candidates.")
@ini_argument
def rehearse(
    candidates: int,
    questions: int,
    minutes: float,
    save_every: float,
    base_url: str | None,
    among_others: bool,
    ini: Ini,
) -> None:
    """Play an exam day on the running service, and account for every answer.

    All candidates save drafts. One fifth of them submits normally, and one fifth each loses the
    connection, changes devices, submits late, or lets the service submit. A few candidates ask
    questions, which a moderator answers. The command creates the candidates and their exam in the
    database of INI, and deletes them afterwards. The exit status is 1 if anything went wrong.
    """
    # Imported here, because it needs libraries that only the extra `rehearsal` installs.
    try:
        from competition.rehearsal import exam_day
    except ModuleNotFoundError as error:
        if error.name != "httpx":
            raise
        raise click.ClickException(
            "`competition rehearse` needs another package:"
            " run pip install 'competition[rehearsal]'."
        ) from None
    length = timedelta(minutes=minutes)
    with ini.runtime() as runtime:
        succeeded = exam_day.play(
            runtime, candidates, questions, length, save_every, base_url, among_others
        )
    raise SystemExit(not succeeded)
