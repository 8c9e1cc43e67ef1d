import { Members } from '../api/members.js';
import { isOverdue, longDate } from '../util/dates.js';
import { list } from '../util/html.js';

/** The overdue loans of a member. */
export async function overdueList(memberId: string, today: string): Promise<string> {
  const loans = await new Members().loansOf({ _id: memberId }, today);
  const late = loans.filter((loan) => isOverdue(loan.due, today));
  return list(late.map((loan) => `Book ${loan.bookId}, since ${longDate(loan.due)}`));
}
