import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ISSUE_COUNT } from '../server/seed.mjs';
import { startServer } from '../server/server.mjs';
import { startTracker, type Tracker } from './support/tracker.js';

let tracker: Tracker;
beforeAll(async () => {
  tracker = await startTracker();
});
afterAll(() => tracker.close());

describe('a fresh database', () => {
  it('holds the requested issues, with the records they refer to embedded', async () => {
    const { body } = await tracker.call('GET', '/issues?limit=3&assignee=5');
    expect(total((await tracker.call('GET', '/issues')).body)).toBe(5000);
    expect(body.results).toHaveLength(3);
    expect(body.results[0]).toMatchObject({
      project: expect.any(String),
      author: { name: expect.any(String) },
      assignee: { id: 5, name: expect.any(String) },
      labels: [{ name: expect.any(String) }],
    });
  });

  it('F35: holds 200 000 issues by default, in seconds, each project without gaps', async () => {
    const before = process.cpuUsage();
    const whole = await startTracker(undefined, ISSUE_COUNT);
    try {
      // About three seconds. Filling it row by row takes half a minute.
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(15_000);
      expect(total((await whole.call('GET', '/issues')).body)).toBe(200_000);
      let all = 0;
      for (const project of ['APP', 'API', 'MOB', 'INF', 'BIL']) {
        const { body } = await whole.call('GET', `/issues?project=${project}&limit=200`);
        const numbers = body.results.map(({ number }: { number: number }) => number);
        expect(numbers).toEqual(numbers.map((_: number, at: number) => total(body) - at));
        all += total(body);
      }
      expect(all).toBe(200_000);
      const oldest = await whole.call('GET', '/issues/1');
      expect(oldest.body).toMatchObject({ number: 1, createdAt: expect.stringMatching(/^2018/) });
    } finally {
      await whole.close();
    }
  });

  it('is the same every time', async () => {
    const other = await startTracker();
    try {
      const [here, there] = await Promise.all(
        [tracker, other].map((server) => server.call('GET', '/issues?sort=title&limit=200')),
      );
      expect(there).toEqual(here);
    } finally {
      await other.close();
    }
  });

  it('keeps its changes in the file over a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tracker-'));
    const databaseFile = join(folder, 'kept.sqlite');
    try {
      const first = await startServer({ port: 0, databaseFile, issueCount: 5000 });
      await fetch(`${first.url}/api/users/3`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Kept' }),
      });
      await first.close();
      const second = await startServer({ port: 0, databaseFile, issueCount: 5000 });
      const user = await (await fetch(`${second.url}/api/users/3`)).json();
      await second.close();
      expect(user).toMatchObject({ id: 3, name: 'Kept' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the list of issues', () => {
  it('filters by project, status, assignee and label together', async () => {
    const { body } = await tracker.call(
      'GET',
      '/issues?project=API&status=open&assignee=4&label=1&limit=200',
    );
    expect(body.results.length).toBeGreaterThan(0);
    for (const issue of body.results) {
      expect(issue.project).toBe('API');
      expect(['done', 'canceled']).not.toContain(issue.status);
      expect(issue.assignee.id).toBe(4);
      expect(issue.labels.map((label: { id: number }) => label.id)).toContain(1);
    }
  });

  it('searches titles and identifiers, with the wild cards of SQL as plain characters', async () => {
    const byTitle = await tracker.call('GET', '/issues?q=INVOICE');
    const first = byTitle.body.results[0];
    expect(first.title.toLowerCase()).toContain('invoice');
    const byIdentifier = await tracker.call('GET', `/issues?q=${first.project}-${first.number}`);
    expect(byIdentifier.body.results.map((issue: { id: number }) => issue.id)).toContain(first.id);
    expect(total((await tracker.call('GET', '/issues?q=%25')).body)).toBe(0);
    expect(total((await tracker.call('GET', "/issues?q=' OR 1=1 --")).body)).toBe(0);
  });

  it.each(['newest', 'updated', 'priority', 'title'])(
    'F35: gives each issue once over all pages, though others come and go meanwhile, sorted by %s',
    async (sort) => {
      const first = await tracker.call('GET', `/issues?project=BIL&sort=${sort}&limit=150`);
      const created = await tracker.call('POST', '/issues', {
        title: 'AAA first by title',
        project: 'BIL',
        priority: 1,
        author: 1,
      });
      await tracker.call('DELETE', `/issues/${first.body.results[10].id}`);
      const seen: number[] = first.body.results.map((issue: { id: number }) => issue.id);
      let { end, remaining } = first.body;
      while (remaining > 0) {
        const path = `/issues?project=BIL&sort=${sort}&limit=150&after=${end}`;
        const { body } = await tracker.call('GET', path);
        expect(body.results.length + body.remaining).toBe(remaining);
        for (const issue of body.results) seen.push(issue.id);
        ({ end, remaining } = body);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toHaveLength(total(first.body));
      await tracker.call('DELETE', `/issues/${created.body.id}`);
    },
  );

  it('refuses a cursor of another order', async () => {
    const { body } = await tracker.call('GET', '/issues?limit=1');
    const path = `/issues?sort=title&after=${body.end}`;
    expect(await tracker.call('GET', path)).toMatchObject({
      status: 422,
      body: { fields: { after: 'is no cursor of this order' } },
    });
  });

  it('refuses a filter that it does not know', async () => {
    expect(await tracker.call('GET', '/issues?stauts=open&limit=0')).toEqual({
      status: 422,
      body: {
        error: 'Query: stauts is not known, limit must be between 1 and 200',
        fields: { stauts: 'is not known', limit: 'must be between 1 and 200' },
      },
    });
  });
});

describe('an issue', () => {
  it('is created, changed, replaced and deleted', async () => {
    const body = { title: ' New ', project: 'MOB', author: 1, assignee: 2, labels: [1, 2] };
    const created = await tracker.call('POST', '/issues', body);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      title: 'New',
      status: 'todo',
      assignee: { id: 2 },
      labels: [{ id: 1 }, { id: 2 }],
    });
    const path = `/issues/${created.body.id}`;

    const changed = await tracker.call('PATCH', path, { status: 'done', assignee: null });
    expect(changed.body).toMatchObject({
      title: 'New',
      status: 'done',
      assignee: null,
      labels: [{ id: 1 }, { id: 2 }],
    });

    const replaced = await tracker.call('PUT', path, { title: 'Whole' });
    expect(replaced.body).toMatchObject({ title: 'Whole', status: 'todo', labels: [] });

    expect(await tracker.call('DELETE', path)).toEqual({ status: 204, body: null });
    expect((await tracker.call('GET', path)).status).toBe(404);
    expect((await tracker.call('DELETE', path)).status).toBe(404);
  });

  it('says which fields are wrong', async () => {
    const refused = await tracker.call('POST', '/issues', {
      title: ' ',
      project: 'NOPE',
      labels: [99],
      nmae: 1,
    });
    expect(refused.status).toBe(422);
    expect(refused.body.fields).toEqual({
      title: 'must not be empty',
      project: 'names nothing that exists',
      labels: 'names nothing that exists',
      nmae: 'is not known',
    });
    expect((await tracker.call('POST', '/issues', {})).body.fields).toEqual({
      title: 'is required',
      project: 'is required',
      author: 'is required',
    });
    expect(
      (await tracker.call('PATCH', '/issues/1', { status: 'lost' })).body.fields.status,
    ).toMatch(/one of/);
  });

  it('refuses a body that is too large, not JSON, or not declared as JSON', async () => {
    expect(
      (await tracker.call('PATCH', '/issues/1', { description: 'x'.repeat(70_000) })).status,
    ).toBe(413);
    const send = (type: string, body: string) =>
      fetch(`${tracker.url}/api/issues/1`, {
        method: 'PATCH',
        headers: { 'content-type': type },
        body,
      });
    expect((await send('application/json', '{')).status).toBe(400);
    expect((await send('application/json', '[]')).status).toBe(400);
    expect((await send('text/plain', '{}')).status).toBe(415);
  });
});

describe('projects', () => {
  it('count their open issues', async () => {
    const openCount = async () => {
      const { body } = await tracker.call('GET', '/projects');
      return body.find((project: { id: string }) => project.id === 'INF').openCount;
    };
    const before = await openCount();
    const open = await tracker.call('GET', '/issues?project=INF&status=open');
    expect(total(open.body)).toBe(before);
    const created = await tracker.call('POST', '/issues', {
      title: 'One more',
      project: 'INF',
      author: 1,
    });
    expect(await openCount()).toBe(before + 1);
    await tracker.call('PATCH', `/issues/${created.body.id}`, { status: 'canceled' });
    expect(await openCount()).toBe(before);
  });
});

describe('comments and people', () => {
  it('sends the number of comments with each change of them', async () => {
    const before = await tracker.call('GET', '/issues/10/comments');
    const added = await tracker.call('POST', '/issues/10/comments', { body: 'Hello', author: 2 });
    expect(added.body).toMatchObject({
      body: 'Hello',
      author: { id: 2 },
      issue: { id: 10, commentCount: before.body.length + 1 },
    });
    const removed = await tracker.call('DELETE', `/issues/10/comments/${added.body.id}`);
    expect(removed.body).toEqual({
      comment: added.body.id,
      issue: { id: 10, commentCount: before.body.length },
    });
    expect((await tracker.call('GET', '/issues/10/comments')).body).toEqual(before.body);
    expect((await tracker.call('GET', '/issues/999999/comments')).status).toBe(404);
  });

  it('renames a user everywhere', async () => {
    await tracker.call('PATCH', '/users/5', { name: 'Renamed' });
    const { body } = await tracker.call('GET', '/issues?assignee=5');
    expect(body.results[0].assignee.name).toBe('Renamed');
    expect((await tracker.call('PATCH', '/users/5', { name: '' })).status).toBe(422);
    expect((await tracker.call('PATCH', '/users/500', { name: 'x' })).status).toBe(404);
  });
});

describe('the changes', () => {
  it('F35: are those of other windows since the last response, each record once and whole', async () => {
    const [here, there] = [{ 'x-demo-window': 'here' }, { 'x-demo-window': 'there' }];
    const changes = async (window: Record<string, string>, since?: number) =>
      (await tracker.call('GET', `/changes?since=${since ?? ''}`, undefined, window)).body;
    const { revision } = await changes(here);
    const draft = { title: 'Seen elsewhere', project: 'APP', author: 1 };
    const created = (await tracker.call('POST', '/issues', draft, here)).body;
    await tracker.call('PATCH', `/issues/${created.id}`, { status: 'done' }, here);
    await tracker.call('PATCH', '/issues/7', { title: 'Changed' }, here);
    await tracker.call('DELETE', '/issues/8', undefined, here);
    await tracker.call('PATCH', '/users/9', { name: 'Else' }, here);

    const own = await changes(here, revision);
    expect(own).toMatchObject({ created: [], changed: [], deleted: [], users: [], projects: [] });
    const others = await changes(there, revision);
    expect(others).toMatchObject({
      created: [{ id: created.id, status: 'done', author: { id: 1 } }],
      changed: [{ id: 7, title: 'Changed' }],
      deleted: [8],
      users: [{ id: 9, name: 'Else' }],
    });
    expect(others.projects).toHaveLength(5);
    expect((await changes(there, others.revision)).changed).toEqual([]);
  });
});

describe('trouble on request', () => {
  it('fails as often as the header says', async () => {
    const always = await tracker.call('GET', '/users', undefined, { 'x-demo-failure-rate': '100' });
    expect(always).toEqual({
      status: 500,
      body: { error: 'The server failed, as the failure switch says' },
    });
    expect(
      (await tracker.call('GET', '/users', undefined, { 'x-demo-failure-rate': '0' })).status,
    ).toBe(200);
  });

  it('waits as long as the header says', async () => {
    const started = performance.now();
    await tracker.call('GET', '/labels', undefined, { 'x-demo-latency': '120' });
    expect(performance.now() - started).toBeGreaterThan(115);
  });
});

/** The number of issues that match, further pages included. */
const total = (body: { results: unknown[]; remaining: number }) =>
  body.results.length + body.remaining;
