/** The code of the reason why a place in the code is left unchanged. Codes stay the same in all versions. */
export type ReasonCode = keyof typeof REASONS;

/**
 * The text of each reason in the report. `docs/migrating-from-axios.md` has a heading for each
 * code, with the change to make by hand.
 */
export const REASONS = {
  'response-used-whole': 'the whole response is used, not only its data',
  'response-metadata': 'the status, headers or config of the response are read',
  'response-taken-apart': 'the data is taken apart, and an empty response would be null',
  'promise-kept': 'the promise of the request is kept or passed on',
  'url-unknown': 'the URL cannot be followed',
  'url-partial-segment': 'a value is a part of a path segment',
  'query-unknown': 'the search parameters cannot be followed',
  'query-clash': 'a search parameter would take the place of another one',
  'query-nested': 'a search parameter is, or may be, an array or an object',
  'config-unknown': 'the config cannot be followed',
  'config-option': 'the config has an option without an equivalent',
  'headers-unknown': 'the headers cannot be followed',
  'body-not-json': 'the body is not known to be sent alike',
  'xsrf-cookie': 'axios would send the XSRF cookie as a header',
  'error-handler': 'an error handler reads what only an error of axios has',
  'local-type': 'a type that is local to a function describes the response',
  'comment-inside': 'a comment stands where the call would be rewritten',
  interceptors: 'interceptors change the requests or their responses',
  defaults: 'the defaults are changed while the program runs',
  'client-passed-on': 'the client is used as a value',
  'client-not-followed': 'axios comes here in a way that is not followed',
  'in-template': 'the call stands in a template',
  'import-cycle': 'modules import one another, so the definition could come too early',
  'instance-config': 'the instance is created with a config that has no equivalent',
  'instance-not-at-module-level': 'the instance is not a constant of a module',
  'other-axios-api': 'this part of axios has no mechanical equivalent',
  'mocks-axios': 'the file mocks axios',
  'importer-unknown': 'something that imports the instance cannot be followed',
  'two-scripts': 'the component has more than one script',
} as const;

/** A reason with its details for one site. */
export interface Reason {
  readonly code: ReasonCode;
  /** The path of the module that is the cause. */
  readonly where?: string;
  /** True if the reason concerns the client, and so all its requests. */
  readonly shared?: boolean;
  /** A sentence without its period. */
  readonly text: string;
}

/**
 * The error that the analysis of a site throws if the site cannot be converted. The planner catches
 * it.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.text);
    this.reason = reason;
  }
}

export const because = (code: ReasonCode, detail?: string): Reason => ({
  code,
  text: detail === undefined ? REASONS[code] : `${REASONS[code]}: ${detail}`,
});

export function refuse(code: ReasonCode, detail?: string): never {
  throw new Refusal(because(code, detail));
}
