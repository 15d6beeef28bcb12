from competition.core.mail.templates import Context, mail_template
from competition.core.work import Work

from competition_certificates.models import Certificate


@mail_template("certificates.ready")
def ready(work: Work, recipient: str, certificate_id: int) -> Context | None:
    certificate = work.db.get(Certificate, certificate_id)
    if certificate is None or certificate.revoked_at:
        return None
    page = f"{work.runtime.public_url}/certificates/{certificate.code}/"
    return {"certificate": certificate, "page": page}
