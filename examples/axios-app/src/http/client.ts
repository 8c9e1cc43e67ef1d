import axios from 'axios';
import { API_URL, PATIENCE } from '../config.js';

/** The one instance that talks to the library. */
export const api = axios.create({
  baseURL: API_URL,
  timeout: PATIENCE,
  headers: {
    'X-Client': 'library-web',
  },
});
