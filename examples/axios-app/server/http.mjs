// @ts-check

/** A failure that is sent to the client. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * A request, as a route reads it.
 *
 * @typedef {object} Context
 * @property {Record<string, string>} params
 * @property {URLSearchParams} query
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} raw
 * @property {any} body
 */

/**
 * The response of a route: a value becomes JSON.
 *
 * @typedef {{ status?: number, type?: string, headers?: Record<string, string>, value?: unknown, raw?: string | Buffer }} Reply
 */

/** @param {import('node:http').IncomingMessage} request */
export async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (!raw.length) return { raw, body: undefined };
  if (type.includes('json')) return { raw, body: JSON.parse(raw.toString()) };
  if (type.includes('x-www-form-urlencoded')) {
    return { raw, body: Object.fromEntries(new URLSearchParams(raw.toString())) };
  }
  return { raw, body: undefined };
}

/** @param {import('node:http').ServerResponse} response @param {Reply} reply */
export function send(response, { status = 200, type, headers = {}, value, raw }) {
  if (raw === undefined && value === undefined) {
    response.writeHead(204, headers).end();
    return;
  }
  response.writeHead(status, {
    'content-type': type ?? 'application/json; charset=utf-8',
    ...headers,
  });
  response.end(raw ?? JSON.stringify(value));
}
