"""Example values of fields for the OpenAPI document, by the fields' names.

Core has the values for the fields of every list and every account. A plugin adds values for its own
fields: ``config.add_examples(title="Rings and ideals", …)``. The plugin `docs` builds the document.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyramid.config import Configurator

from competition.core.catalogue import catalogue_of

Words = Mapping[str, Any]

USER_ID = "8f14e45f-ceea-467f-a8c5-1f2b3c4d5e6f"

CORE: Words = {
    "id": 7,
    "user_id": USER_ID,
    "candidate_id": USER_ID,
    "email": "emmy@school.example",
    "first_name": "Emmy",
    "last_name": "Noether",
    "full_name": "Emmy Noether",
    "name": "Emmy Noether",
    "phone": "+49 9131 1882",
    "school": "Hillside School",
    "year": 9,
    "group": "9B",
    "external_id": "N-1042",
    "has_email": True,
    "occupation": "Teacher",
    "message": "Done.",
    "path": "/exams/7/results/",
    "profile_picture": "https://files.example/profile_picture",
    "face_id": None,
    "id_card": None,
    "verification_document": None,
    "count": 1,
    "page": 1,
    "page_size": 20,
    "total_pages": 1,
    "has_next": False,
    "has_previous": False,
    "next": None,
    "previous": None,
}


@dataclass(frozen=True)
class Vocabulary:
    """The example values that one plugin has registered for the OpenAPI document. `words` has them
    by field name, and `package` is the plugin's package."""

    package: str
    words: Words


def add_examples(config: Configurator, **words: Any) -> None:
    """Configuration directive ``config.add_examples``: add example values for fields of the plugin
    that calls it. The OpenAPI document shows them. `words` has the values by field name."""
    package = config.package.__name__
    catalogue_of(config).add(Vocabulary, package, Vocabulary(package, words))


def includeme(config: Configurator) -> None:
    config.add_directive("add_examples", add_examples)
