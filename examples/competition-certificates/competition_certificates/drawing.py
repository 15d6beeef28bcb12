"""Draw a certificate."""

from html import escape

from competition_certificates import CertificateSettings
from competition_certificates.models import Certificate

# In millimetres: A4, landscape.
WIDTH, HEIGHT = 297, 210


def draw_svg(certificate: Certificate, settings: CertificateSettings) -> str:
    """The certificate as an SVG page."""
    lines = (
        (50, 16, "Certificate"),
        (80, 12, certificate.full_name),
        (102, 7, f"rank {certificate.rank} in {certificate.exam_title}"),
        (116, 7, settings.text),
        (160, 6, settings.signed_by),
        (195, 4, f"{certificate.awarded_at:%d %B %Y} · {certificate.code}"),
    )
    texts = "\n".join(
        f'  <text x="{WIDTH / 2}" y="{y}" font-size="{size}">{escape(text)}</text>'
        for y, size, text in lines
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" font-family="serif" text-anchor="middle">\n'
        f'  <rect x="8" y="8" width="{WIDTH - 16}" height="{HEIGHT - 16}" fill="none"'
        f' stroke="black"/>\n{texts}\n</svg>\n'
    )
