import axios from 'axios';
import { API_URL } from '../config.js';

/** Resolves to true if the library is open. Never fails. */
export function isOpen(): Promise<boolean> {
  return axios
    .get<string>(`${API_URL}/health`, { timeout: 2_000 })
    .then((response) => response.data === 'open')
    .catch(() => false);
}
