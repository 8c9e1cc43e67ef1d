/**
 * Endpoints that send through an axios instance of the application, for a migration in steps.
 *
 * @module restitch/axios
 */
export { axiosEndpoint } from './axiosEndpoint.js';
export type { AxiosEndpointConstructor, AxiosEndpointOptions } from './AxiosEndpointConstructor.js';
