import { client } from '../api/client';

export interface Order {
  id: string;
  item: string;
  amount: number;
}

export interface OrderInput {
  item: string;
  amount: number;
}

export async function getOrders(search: string): Promise<Order[]> {
  const { data } = await client.get<Order[]>('/orders', { params: { search, sort: 'item' } });
  return data;
}

export const getOrder = (id: string): Promise<Order> =>
  client.get<Order>(`/orders/${id}`).then((response) => response.data);

export async function createOrder(input: OrderInput): Promise<Order> {
  const response = await client.post<Order>('/orders', input);
  return response.data;
}

export function cancelOrder(id: string) {
  return client.delete(`/orders/${id}`);
}

export async function uploadInvoice(id: string, file: File): Promise<void> {
  const form = new FormData();
  form.append('invoice', file);
  await client.put(`/orders/${id}/invoice`, form);
}
