import sys

try:
    from competition.rehearsal.command import rehearse
except ModuleNotFoundError as error:
    if error.name != "httpx":
        raise
    sys.exit("The rehearsal needs more packages: pip install 'competition[demo]'")

rehearse(prog_name="competition rehearse")
