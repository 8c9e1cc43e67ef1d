import { expect, it } from 'vitest';
import { booksOf, getAuthor, listAuthors } from '../src/api/authors.js';
import { extendLoan, giveBack, lend } from '../src/api/loans.js';
import { Members } from '../src/api/members.js';
import reservations from '../src/api/reservations.js';
import { signIn, signOut, whoAmI } from '../src/api/session.js';

const members = new Members();

it('knows authors and their books', async () => {
  expect(await listAuthors()).toHaveLength(3);
  expect(await getAuthor(2)).toMatchObject({ name: 'Italo Calvino' });
  expect(await booksOf({ id: 2 })).toEqual(['Cosmicomics', 'Invisible Cities']);
  expect(await booksOf({ id: 2 }, true)).toEqual(['Invisible Cities', 'Cosmicomics']);
});

it('knows members and what they borrowed', async () => {
  expect(await members.find({ _id: 'm-1' })).toMatchObject({ name: 'Grace Hopper' });
  expect(await members.loansOf({ _id: 'm-2' })).toHaveLength(1);
  expect(await members.loansOf({ _id: 'm-2' }, '2026-01-01')).toEqual([]);
  expect(await members.changeEmail({ _id: 'm-2' }, 'turing@example.com')).toBe(
    'Write to turing@example.com',
  );
  expect(await members.changeEmail({ _id: 'm-9' }, 'x')).toBe('This is not here any more.');
});

it('lends each copy once', async () => {
  expect(await lend(2, 'm-1')).toMatchObject({ bookId: 2, memberId: 'm-1' });
  expect(await lend(2, 'm-2')).toBe('out');
  await expect(lend(99, 'm-2')).rejects.toThrow();
  expect(await extendLoan('l1')).toBe('2027-01-24');
  expect(await giveBack('l1', 'wet')).toEqual({ returned: 'l1', condition: 'wet' });
});

it('keeps reservations', async () => {
  const made = await reservations.add(4, 'm-1');
  expect(await reservations.list('m-1')).toEqual([{ id: 1, bookId: 4, memberId: 'm-1' }]);
  await reservations.cancel(made);
  expect(await reservations.list('m-1')).toEqual([]);
});

it('signs in and out', async () => {
  const token = await signIn('ada', 'librarian');
  expect(await whoAmI(token)).toBe('ada');
  await signOut(token);
  await expect(signIn('ada', 'wrong')).rejects.toThrow();
});
