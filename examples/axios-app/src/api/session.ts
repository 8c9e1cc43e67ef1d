import axios from 'axios';
import { API_URL } from '../config.js';

const SESSION = `${API_URL}/session`;

/** Signs in and gives the token. */
export async function signIn(username: string, password: string): Promise<string> {
  const { data } = await axios.post<{ token: string }>(`${API_URL}/session`, undefined, {
    auth: { username, password },
  });
  return data.token;
}

export async function whoAmI(token: string): Promise<string> {
  const { data } = await axios.get<{ user: string }>(`${API_URL}/session`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return data.user;
}

export async function signOut(token: string): Promise<void> {
  await axios({
    method: 'delete',
    url: SESSION,
    headers: { Authorization: `Bearer ${token}` },
  });
}
