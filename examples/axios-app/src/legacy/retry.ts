import axios, { type AxiosRequestConfig } from 'axios';
import { API_URL } from '../config.js';

/** Sends whatever it is given, and once more if that fails. */
export async function twice<T>(config: AxiosRequestConfig): Promise<T> {
  const full = { baseURL: API_URL, ...config };
  try {
    return (await axios.request<T>(full)).data;
  } catch {
    return (await axios.request<T>(full)).data;
  }
}
