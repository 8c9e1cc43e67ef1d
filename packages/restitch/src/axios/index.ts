/**
 * Endpoints that send through an axios instance of the application, for a gradual migration.
 *
 * @module restitch/axios
 */
export { axiosEndpoint } from './axiosEndpoint.js';
export type { AxiosEndpointConstructor, AxiosEndpointOptions } from './AxiosEndpointConstructor.js';
