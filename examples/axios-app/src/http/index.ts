export { api } from './client.js';
export { describeFailure } from './failures.js';
