import { api } from '../http/client.js';

export const loadSettings = async () => (await api({ url: '/settings' })).data;

/** @param {object} changes */
export const saveSettings = async (changes) => {
  const { data } = await api.request({ method: 'PUT', url: '/settings', data: changes });
  return data;
};
