"""The guide for plugins: what it shows works as it stands."""

import re
from importlib import import_module

from competition.core import flags
from competition.core.work import begin
from competition.testing.exam_day import make_exam, sit
from tests.support.repository import REPOSITORY

GUIDE = REPOSITORY / "docs" / "plugins.md"


def test_the_plugin_of_the_guide_works(tmp_path, monkeypatch, install, app_with, base_settings):
    files = re.findall(r"^```python\n# (league_\S+)\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
    for name, code in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    install(certificates="league_certificates")
    app = app_with(
        {
            "competition.plugins": base_settings["competition.plugins"] + " certificates",
            "competition.certificates.signed_by": "Emmy Noether",
        }
    )
    ada = app.candidate()
    exam_id = make_exam(app, app.staff("admin"))
    path = f"/certificates/{exam_id}/"
    ada.get(path, status=403, code="certificates_closed")
    with begin(app.runtime) as work:
        flags.switch(work, "certificates_open", True)
    ada.get(path, status=404)
    sit(app, ada, exam_id, "ABCDABCDAB")
    name = app.user(ada).full_name
    assert ada.get(path).json == {"name": name, "signed_by": "Emmy Noether"}
    drawings = import_module("league_certificates.drawings")
    with begin(app.runtime) as work:
        link = drawings.link(work, drawings.keep(work, ada.id, "<svg/>"))
    drawing = ada.get(link.removeprefix("https://league.example/v1"))
    assert (drawing.content_type, drawing.body) == ("image/svg+xml", b"<svg/>")
