from competition.core.errors import ApiError
from competition.core.messages import Message


class CertificateRevoked(ApiError):
    status = 409
    code = "certificate_revoked"
    detail = Message("This certificate has already been revoked.")
