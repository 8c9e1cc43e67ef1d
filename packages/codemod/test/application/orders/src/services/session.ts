import { client } from '../api/client';

interface Session {
  token: string;
  renewal: string;
}

export async function signIn(name: string, password: string): Promise<void> {
  const { data } = await client.post<Session>('/session', { name, password });
  localStorage.setItem('token', data.token);
  localStorage.setItem('renewal', data.renewal);
}
