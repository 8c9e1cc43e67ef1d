import { Members } from '../api/members.js';
import { isOverdue } from '../util/dates.js';
import { escaped } from '../util/html.js';
import { money } from '../util/money.js';

const members = new Members();

/**
 * The loans and fees of a member.
 *
 * @param {string} id
 * @param {string} today
 */
export async function memberCard(id, today) {
  const [member, loans] = await Promise.all([
    members.find({ _id: id }),
    members.loansOf({ _id: id }),
  ]);
  const late = loans.filter((loan) => isOverdue(loan.due, today)).length;
  return `<h2>${escaped(member.name)}</h2><p>${loans.length} on loan, ${late} late, owes ${money(member.owes)}</p>`;
}
