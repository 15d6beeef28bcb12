"""The league of the benchmark, made by the service of today."""

from webob import Request

from tools.bench.paths import PATHS
from tools.bench.world import ASKED, Maker, Sizes

SIZES = Sizes(candidates=3, questions=2 * ASKED, exams=3)


def test_every_measured_request_is_answered(live):
    def ask(sent):
        live.run_jobs()
        reply = Request.from_bytes(sent).get_response(live.http.app)
        return reply.status_int, b"", reply.body

    world = Maker(live.runtime, SIZES, ask).make()
    for path in PATHS:
        for sent in path.requests(world, 1, 1):
            status, _, body = ask(sent)
            # Nothing is unchanged, because the request names no ETag.
            assert status == path.status or (status, path.status) == (200, 304), (path.name, body)
