import axios, { type AxiosError, type InternalAxiosRequestConfig } from 'axios';

interface RepeatedConfig extends InternalAxiosRequestConfig {
  isRepeated?: boolean;
}

export const client = axios.create({ baseURL: '/api', timeout: 10_000 });

client.interceptors.request.use((config) => {
  const token = localStorage.getItem('token');
  if (token) config.headers.set('Authorization', `Bearer ${token}`);
  return config;
});

client.interceptors.response.use(
  (response) => response,
  async (error: AxiosError) => {
    const config = error.config as RepeatedConfig | undefined;
    if (error.response?.status !== 401 || !config || config.isRepeated) throw error;
    config.isRepeated = true;
    const renewal = localStorage.getItem('renewal');
    const { data } = await axios.post<{ token: string }>('/api/session/renew', { renewal });
    localStorage.setItem('token', data.token);
    return client.request(config);
  },
);
