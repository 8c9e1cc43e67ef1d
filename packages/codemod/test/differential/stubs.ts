/** Missing imports of fixtures: enough for their requests to be sent. */
import { stringify } from 'node:querystring';
import type { Packages } from './evaluate.js';

class Stub {}
const nothing = (): undefined => undefined;

export const stubs: Packages = {
  qs: { stringify },
  fs: { writeFileSync: nothing },
  './auth': {
    getToken: async () => 'token',
    authHeader: () => ({ Authorization: 'Bearer token' }),
  },
  './config': { API_URL: 'https://config.example.com', PATIENCE: 5000 },
  './endpoint': { ApiEndpoint: Stub },
  './plugin': { install: nothing },
  './posts': { loadPosts: async () => [] },
  './report': { report: nothing },
  './rest': { RestEndpoint: Stub },
  './retry': { withRetry: nothing },
};
