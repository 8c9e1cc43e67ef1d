// @ts-check
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from './validation.mjs';

const MAX_LATENCY = 10_000;

/**
 * A slow and unreliable network, on request: the page sends how slow (`x-demo-latency`, milliseconds) and how
 * unreliable (`x-demo-failure-rate`, percent) with every call. The server keeps no switch, so two tabs do not disturb
 * each other.
 * @type {import('hono').MiddlewareHandler}
 */
export async function trouble(context, next) {
  const latency = Math.min(headerNumber(context, 'x-demo-latency'), MAX_LATENCY);
  const failureRate = headerNumber(context, 'x-demo-failure-rate');
  if (latency > 0) {
    try {
      await wait(latency, undefined, { signal: context.req.raw.signal });
    } catch {
      // The page does not wait any longer.
      return context.body(null, 408);
    }
  }
  if (Math.random() * 100 < failureRate) {
    throw new ApiError(500, 'The server failed, as the failure switch says');
  }
  await next();
}

/** @param {import('hono').Context} context @param {string} name */
function headerNumber(context, name) {
  const value = Number(context.req.header(name) ?? 0);
  return Number.isFinite(value) && value > 0 ? value : 0;
}
