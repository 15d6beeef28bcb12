from competition.core.auth.access import API_KEY, candidate
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.receipts import presenters, schemas
from competition.plugins.receipts.services import keys, receipts

receipt = Service("/exams/{exam_id:int}/receipt/")
own_receipts = Service("/exams/{exam_id:int}/receipts/")
verification = Service("/receipts/verify/")
public_keys = Service("/receipts/keys/")


@receipt.get(access=candidate())
def own_receipt(request: Request, exam_id: int) -> presenters.Receipt:
    """Get the receipt of the caller's own submission.

    The receipt stays the same as long as the submission does, and can be read even if the exam was
    deleted.
    """
    return receipts.own(request.work, exam_id)


@own_receipts.get(access=candidate())
def list_own_receipts(request: Request, exam_id: int) -> presenters.Receipts:
    """List the receipts of the caller's submissions to an exam, the newest first.

    If a submission was taken back, so that the candidate could continue, its receipt stays valid:
    it proves which answers were submitted, and when.
    """
    return presenters.Receipts(results=receipts.all_own(request.work, exam_id))


@verification.post(access=API_KEY, body=schemas.Verification)
def verify_receipt(request: Request) -> presenters.Verdict:
    """Check that this service signed a receipt and, if you send `answers`, that it was issued for
    them."""
    sent = request.validated
    reason = receipts.flaw(request.work.settings, sent["receipt"], sent["answers"])
    return presenters.verdict(reason)


@public_keys.get(access=API_KEY, polled=True)
def list_receipt_keys(request: Request) -> presenters.Keys:
    """List the public keys that verify receipts, including the keys of older receipts."""
    return presenters.Keys(keys=keys.keys(request.work.settings).public())
