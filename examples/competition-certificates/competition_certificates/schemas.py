"""The columns of files with certificates."""

from competition.core.schemas import Integer, node
from competition.core.web.importing import NamedCandidate


class CertificateRow(NamedCandidate):
    """A candidate, by id, email address or school's number, and the rank of the certificate."""

    rank = node(Integer(1), headers=("Place", "Rang"), example="1", description="The rank.")
