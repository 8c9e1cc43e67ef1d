import { Invalidate, type RestGenerics } from 'restitch';
import { TrackerEndpoint } from './TrackerEndpoint.js';
import { Issue, Project, User } from './entities.js';
import { POLL_PERIOD, issueList } from './resources.js';

let revision: number | undefined;

/** Fetches the changes since its last response. The key stays the same, so that all polls are of one result. */
class ChangesEndpoint<O extends RestGenerics = any> extends TrackerEndpoint<O> {
  async send(input: RequestInfo, init: RequestInit): Promise<Response> {
    const since = revision === undefined ? '' : `?since=${revision}`;
    return super.send(`${typeof input === 'string' ? input : input.url}${since}`, init);
  }

  process(value: { revision: number }) {
    revision = value.revision;
    return value;
  }
}

/**
 * The changes of other windows. Records are stored once: one short response updates every list, the detail pane and all
 * comments. New issues enter the lists whose filters they pass, deleted ones leave all.
 */
export const getChanges = new ChangesEndpoint({
  path: '/changes',
  pollFrequency: POLL_PERIOD,
  schema: {
    created: issueList.unshift,
    changed: [Issue],
    deleted: [new Invalidate(Issue)],
    users: [User],
    projects: [Project],
  },
});
