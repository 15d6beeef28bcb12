"""Export and erase a candidate's receipts."""

from sqlalchemy import delete, select

from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.receipts import models
from competition.plugins.receipts.presenters import Receipt
from competition.plugins.receipts.services.receipts import earlier, of


def export(work: Work, user: User) -> list[Receipt]:
    """The candidate's receipts of present submissions, by the id of the exam, and then those of
    withdrawn submissions, the newest first."""
    exam_ids = work.db.scalars(
        select(models.Receipt.exam_id)
        .where(models.Receipt.candidate_id == user.id)
        .order_by(models.Receipt.exam_id)
    )
    receipts = of(work, [(exam_id, user.id) for exam_id in exam_ids])
    present = [receipt for receipt in receipts.values() if receipt is not None]
    return present + earlier(work, user.id)


@personal_data("receipts", export=export)
def erase(work: Work, user: User) -> None:
    """Delete the candidate's receipts. Copies that the candidate has saved stay valid."""
    for model in (models.Receipt, models.EarlierReceipt):
        work.db.execute(delete(model).where(model.candidate_id == user.id))
