import { expect, it } from 'vitest';
import { getCover } from '../src/api/covers.js';
import { loansReport } from '../src/api/reports.js';
import { leaveNote, putCover } from '../src/api/uploads.js';

it('reads a picture byte by byte', async () => {
  const bytes = new Uint8Array(await getCover(1));
  expect([...bytes]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
});

it('reads a table as text', async () => {
  expect(await loansReport(2026)).toBe('year,loans\n2026,2\n');
});

it('sends files and forms', async () => {
  const cover = new FormData();
  cover.append('cover', new Blob(['picture'], { type: 'image/png' }), 'cover.png');
  const steps: number[] = [];
  const stored = await putCover(1, cover, (done) => steps.push(done));
  expect(stored.type).toBe('multipart/form-data');
  expect(steps.at(-1)).toBe(1);
  expect(await leaveNote('a & b = ü')).toEqual({ text: 'a & b = ü' });
});
