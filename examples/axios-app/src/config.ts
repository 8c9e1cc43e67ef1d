/** The address of the library's server. */
export const API_URL = process.env['LIBRARY_URL'] ?? 'http://localhost:4100';

/** Milliseconds after which a request is given up. */
export const PATIENCE = 8_000;
