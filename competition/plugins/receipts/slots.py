from pyramid.config import Configurator

from competition.plugins.receipts.presenters import Receipt
from competition.plugins.sittings.presenters import SUBMISSION


def includeme(config: Configurator) -> None:
    # Null of what was submitted while there were no receipts.
    config.fill_slot(SUBMISSION, "receipt", Receipt | None, ".services.receipts.of")
