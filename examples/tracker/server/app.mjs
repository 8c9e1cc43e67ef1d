// @ts-check
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import { listChanges, noteChange } from './changes.mjs';
import { createComment, deleteComment, listComments } from './comments.mjs';
import { changeIssue, createIssue, deleteIssue, getIssue, listIssues } from './issues.mjs';
import { changeUser, getUser, listLabels, listProjects, listUsers } from './records.mjs';
import { trouble } from './trouble.mjs';
import { ApiError, wholeNumber } from './validation.mjs';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * The whole server as one function from request to response: the REST interface below `/api`, the built page elsewhere.
 * @param {import('./database.mjs').Database} database
 * @param {string} [pageFolder] holds the built page
 */
export function createApp(database, pageFolder) {
  const app = new Hono();
  app.onError((error, context) => {
    if (!(error instanceof ApiError)) {
      console.error(error);
      return context.json({ error: 'The server made a mistake' }, 500);
    }
    return context.json({ error: error.message, fields: error.fields }, error.status);
  });
  app.notFound((context) => context.json({ error: `There is no ${context.req.path}` }, 404));
  // The page runs without `unsafe-eval`, and so does restitch.
  app.use(
    secureHeaders({
      contentSecurityPolicy: { defaultSrc: ["'self'"], imgSrc: ["'self'", 'data:'] },
      strictTransportSecurity: false,
    }),
  );
  app.use(
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new ApiError(413, `A request may hold at most ${MAX_BODY_BYTES / 1024} KiB`);
      },
    }),
  );
  app.route('/api', createApi(database));
  // The cache by URL, for comparison, sends its requests here, so that they are not counted with those of the page.
  app.route('/by-url', createApi(database));
  if (pageFolder !== undefined) app.use(serveStatic({ root: pageFolder }));
  return app;
}

/** @param {import('./database.mjs').Database} database */
function createApi(database) {
  const api = new Hono();
  api.use(trouble);
  api.use(async (context, next) => {
    await next();
    context.header('cache-control', 'no-store');
  });

  /** @param {import('hono').Context} c @param {'issue' | 'user'} kind @param {number} record @param {boolean} [isNew] */
  const note = (c, kind, record, isNew) =>
    noteChange(database, c.req.header('x-demo-window') ?? '', kind, record, isNew);

  api.get('/users', (c) => c.json(listUsers(database)));
  api.get('/users/:id', (c) => c.json(getUser(database, id(c))));
  api.patch('/users/:id', async (c) => {
    const user = changeUser(database, id(c), await body(c));
    note(c, 'user', id(c));
    return c.json(user);
  });
  api.get('/projects', (c) => c.json(listProjects(database)));
  api.get('/labels', (c) => c.json(listLabels(database)));

  api.get('/issues', (c) => c.json(listIssues(database, c.req.query())));
  api.post('/issues', async (c) => {
    const issue = createIssue(database, await body(c));
    note(c, 'issue', Number(issue?.['id']), true);
    return c.json(issue, 201);
  });
  api.get('/issues/:id', (c) => c.json(getIssue(database, id(c))));
  api.on(['PUT', 'PATCH'], '/issues/:id', async (c) => {
    const issue = changeIssue(database, id(c), await body(c), c.req.method === 'PUT');
    note(c, 'issue', id(c));
    return c.json(issue);
  });
  api.delete('/issues/:id', (c) => {
    deleteIssue(database, id(c));
    note(c, 'issue', id(c));
    return c.body(null, 204);
  });

  api.get('/issues/:issue/comments', (c) => c.json(listComments(database, id(c, 'issue'))));
  api.post('/issues/:issue/comments', async (c) => {
    const comment = createComment(database, id(c, 'issue'), await body(c));
    note(c, 'issue', id(c, 'issue'));
    return c.json(comment, 201);
  });
  api.delete('/issues/:issue/comments/:id', (c) => {
    const deleted = deleteComment(database, id(c, 'issue'), id(c));
    note(c, 'issue', id(c, 'issue'));
    return c.json(deleted);
  });

  api.get('/changes', (c) =>
    c.json(
      listChanges(
        database,
        c.req.header('x-demo-window') ?? '',
        wholeNumber(c.req.query('since') ?? ''),
      ),
    ),
  );
  return api;
}

/** @param {import('hono').Context} context */
function id(context, name = 'id') {
  const text = context.req.param(name);
  const number = wholeNumber(text);
  if (number === undefined) throw new ApiError(404, `There is no ${name} "${text}"`);
  return number;
}

/** @param {import('hono').Context} context @returns {Promise<unknown>} */
async function body(context) {
  // Pages of other origins cannot send this type without a preflight request.
  if (!context.req.header('content-type')?.startsWith('application/json')) {
    throw new ApiError(415, 'Expected content-type application/json');
  }
  try {
    return await context.req.json();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, 'The body is not JSON');
  }
}
