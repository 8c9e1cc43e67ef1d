import axios from 'axios';
import { API_URL } from '../config.js';

const audited = axios.create({ baseURL: API_URL });

audited.interceptors.request.use((config) => {
  config.headers.set('X-Audited-At', new Date().toISOString());
  return config;
});

/** Notes that somebody looked at a page. */
export async function note(path) {
  const { data } = await audited.post('/audit', { path });
  return data;
}

export async function notes() {
  const { data } = await audited.get('/audit');
  return data;
}
