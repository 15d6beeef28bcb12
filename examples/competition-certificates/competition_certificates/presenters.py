from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from competition.core.storage import files
from competition.core.work import Work

from competition_certificates.models import Certificate


class CertificateItem(TypedDict):
    code: str
    exam_id: int
    exam_title: str
    rank: int
    awarded_at: datetime


class OwnCertificate(CertificateItem):
    """A certificate of the caller. `drawing` is a temporary link to an SVG, or null until it is
    drawn."""

    drawing: str | None


class OwnCertificates(TypedDict):
    results: list[OwnCertificate]


class CertificateCheck(CertificateItem):
    """The facts that anyone with the code can see. A revoked certificate is not valid."""

    full_name: str
    is_valid: bool


def item(certificate: Certificate) -> CertificateItem:
    return CertificateItem(
        code=certificate.code,
        exam_id=certificate.exam_id,
        exam_title=certificate.exam_title,
        rank=certificate.rank,
        awarded_at=certificate.awarded_at,
    )


def own(work: Work, certificates: Iterable[Certificate]) -> OwnCertificates:
    return OwnCertificates(
        results=[
            OwnCertificate(
                **item(each), drawing=files.link(work, each.file_key) if each.file_key else None
            )
            for each in certificates
        ]
    )


def check(certificate: Certificate) -> CertificateCheck:
    return CertificateCheck(
        **item(certificate),
        full_name=certificate.full_name,
        is_valid=certificate.revoked_at is None,
    )
