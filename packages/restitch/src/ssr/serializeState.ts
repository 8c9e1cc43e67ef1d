import type { Controller } from '../index.js';
import { getState } from '../state/index.js';
import { warnMisspelled } from '../errors/misspelled.js';
import { sourceOf } from './source.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Options of the scripts that contain state in a page. */
export interface StateScriptOptions {
  /**
   * The nonce that the page's Content-Security-Policy requires for inline scripts. Default: none.
   */
  readonly nonce?: string | undefined;
}

/**
 * Returns the whole state of a controller as one script element, for servers that send a page in
 * one piece. Put it before the script that starts the application.
 *
 * @throws TypeError if `nonce` is not a string. RestitchError if an entity class has no
 * `static key`, or a function endpoint has no `name`.
 *
 * @example
 * ```ts
 * import { Controller } from 'restitch';
 * import { serializeState } from 'restitch/ssr';
 *
 * const page = (html: string, controller: Controller, nonce: string) =>
 *   `<!doctype html><div id="root">${html}</div>${serializeState(controller, { nonce })}`;
 * ```
 */
export function serializeState(controller: Controller, options: StateScriptOptions = {}): string {
  return scriptElement(sourceOf(getState(controller)), options);
}

export function scriptElement(source: string, options: StateScriptOptions): string {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnMisspelled('serializeState', Object.keys(options), ['nonce']);
  }
  const { nonce } = options;
  if (nonce !== undefined && typeof nonce !== 'string') {
    throw new TypeError('`nonce` must be a string: the one in the Content-Security-Policy header.');
  }
  const attribute = nonce === undefined ? '' : ` nonce="${nonce.replace(/["&<>]/g, entity)}"`;
  return `<script${attribute}>${source}</script>`;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
