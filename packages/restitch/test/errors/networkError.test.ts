/** The message of a `NetworkError`. */
import { NetworkError } from 'restitch';
import { expect, it } from 'vitest';

/** A response from a URL, as `fetch` gives it. */
const from = (url: string, init: ResponseInit): Response =>
  Object.defineProperty(new Response(null, init), 'url', { value: url });

it.each([
  ['http://a/b', { status: 404, statusText: 'Not Found' }, 'http://a/b: 404 Not Found'],
  ['http://a/b', { status: 404 }, 'http://a/b: 404'],
  ['http://a/b', { status: 404, statusText: '404' }, 'http://a/b: 404'],
  ['http://a/b', { status: 404, statusText: '404 Not Found' }, 'http://a/b: 404 Not Found'],
  ['', { status: 404, statusText: 'Not Found' }, '404 Not Found'],
  ['', { status: 404 }, '404'],
])('the URL, the status and its text once each: %s %o', (url, init, message) => {
  expect(new NetworkError(from(url, init)).message).toBe(message);
});
