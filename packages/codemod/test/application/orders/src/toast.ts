import { isAxiosError } from 'axios';

interface Problem {
  message?: string;
  fields?: Record<string, string>;
}

export function messageOf(error: unknown): string {
  if (isAxiosError<Problem>(error)) {
    const { message, fields } = error.response?.data ?? {};
    if (fields) return Object.values(fields).join(' ');
    return message ?? error.message;
  }
  return 'Something went wrong.';
}
