// @ts-check
/** The words of the seed. The people are pioneers of computing; what they do here is invented. */

export const users = [
  ['Ada Lovelace', 'ada', 'Engineering lead', 262],
  ['Alan Turing', 'alan', 'Frontend', 12],
  ['Grace Hopper', 'grace', 'Frontend', 330],
  ['Edsger Dijkstra', 'edsger', 'Backend', 38],
  ['Katherine Coleman', 'katherine', 'Backend', 205],
  ['Emmy Noether', 'emmy', 'Design', 300],
  ['Dennis Ritchie', 'dennis', 'Mobile', 160],
  ['Alonzo Church', 'alonzo', 'Data', 182],
  ['John Backus', 'john', 'Platform', 95],
  ['Mary Kenneth Keller', 'mary', 'Quality', 68],
];

export const projects = [
  ['APP', 'Web app', 262],
  ['API', 'Public API', 205],
  ['MOB', 'Mobile', 160],
  ['INF', 'Infrastructure', 38],
  ['BIL', 'Billing', 330],
];

export const labels = [
  ['Bug', 8],
  ['Feature', 265],
  ['Improvement', 210],
  ['Performance', 40],
  ['Accessibility', 165],
  ['Security', 345],
  ['Design', 305],
  ['Docs', 190],
  ['Tech debt', 90],
];

/** Openings that say what is to be done, and the label that goes with them (its id, from 1). */
export const openings = [
  ['Fix', 1],
  ['Investigate', 1],
  ['Add', 2],
  ['Plan', 2],
  ['Sketch', 7],
  ['Improve', 3],
  ['Simplify', 3],
  ['Speed up', 4],
  ['Document', 8],
  ['Refactor', 9],
  ['Rethink', 7],
  ['Audit', 6],
  ['Review', 5],
];

/** Things to work on, by project, in the order of `projects`. */
export const things = [
  [
    'keyboard navigation in the command menu',
    'empty states of the board view',
    'drag and drop between columns',
    'the onboarding checklist',
    'dark theme contrast',
    'saved filters',
    'inline image previews',
    'the notification inbox',
    'undo for bulk edits',
    'screen reader labels of icon buttons',
    'the workspace switcher',
    'text selection inside cards',
  ],
  [
    'cursor pagination of list endpoints',
    'rate limit headers',
    'webhook retries',
    'idempotency keys',
    'error codes of the token endpoint',
    'partial responses',
    'the OpenAPI description',
    'personal access token scopes',
    'bulk import of issues',
    'ETag handling for large lists',
    'the audit log endpoint',
  ],
  [
    'push notification grouping',
    'offline drafts',
    'the share sheet',
    'pull to refresh',
    'launch time on older phones',
    'deep links from mail',
    'haptics on swipe actions',
    'tablet split view',
    'biometric unlock',
    'scroll position after rotation',
  ],
  [
    'blue-green deploys of the worker pool',
    'database connection pooling',
    'log retention',
    'the staging seed job',
    'alert noise at night',
    'cache warm-up after deploys',
    'backup restore drill',
    'certificate rotation',
    'container image size',
    'tracing across queues',
  ],
  [
    'proration on plan changes',
    'invoice rounding',
    'tax identifiers on receipts',
    'dunning mails',
    'seat counting for guests',
    'the upgrade dialog',
    'refunds of annual plans',
    'currency formatting',
    'trial extensions',
    'usage export as CSV',
  ],
];

/** The place or time of an issue, by project, in the order of `projects`. */
export const circumstances = [
  [
    '',
    '',
    'on slow connections',
    'for large workspaces',
    'in Safari',
    'for guests',
    'on small screens',
  ],
  [
    '',
    '',
    'under load',
    'for large responses',
    'behind a proxy',
    'in sandbox mode',
    'for OAuth apps',
  ],
  ['', '', 'on older phones', 'when offline', 'after an update', 'on tablets', 'with large text'],
  ['', '', 'in the EU region', 'during peak hours', 'on staging', 'after a failover'],
  ['', '', 'for annual plans', 'for non-profits', 'in euros', 'during a trial'],
];

export const sentences = [
  'Reported twice this week by different customers.',
  'We can reproduce it with a fresh workspace and the default settings.',
  'The current behavior is inherited from the first version and nobody depends on it any more.',
  'A short design note is linked from the team page.',
  'Support has a macro for this, so it can wait for the next cycle.',
  'It blocks the release of the new editor.',
  'Keep the old behavior behind a flag until the next minor version.',
  'Measure before and after; the dashboard already has a panel for it.',
  'Most of the work is in the tests.',
  'The fix is small but touches a hot path, so please ask for two reviews.',
];

export const remarks = [
  'I can take this one.',
  'Reproduced on main. The log shows two requests where there should be one.',
  'Same here, and it got worse with the last release.',
  'Could we ship the small version first?',
  'Pushed a draft, feedback welcome.',
  'Let us talk about it in planning.',
  'Works on my machine, which is not a compliment to my machine.',
  'The screenshots help a lot, thank you.',
  'Moved to the next cycle: the dependency is not ready.',
  'Verified on staging.',
  'I would rather fix the cause than add another retry.',
  'Numbers look good: the median went down by a third.',
];
