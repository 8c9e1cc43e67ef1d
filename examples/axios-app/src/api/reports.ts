import { api } from '../http/client.js';

/** The loans of a year, as a table for a spreadsheet. */
export async function loansReport(year: number): Promise<string> {
  const { data } = await api.get<string>(`/reports/${year}/loans.csv`, { responseType: 'text' });
  return data;
}
