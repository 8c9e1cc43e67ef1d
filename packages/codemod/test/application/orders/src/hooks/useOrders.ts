import { useCallback, useEffect, useState } from 'react';
import {
  cancelOrder,
  createOrder,
  getOrders,
  type Order,
  type OrderInput,
} from '../services/orders';
import { messageOf } from '../toast';

export function useOrders(search: string) {
  const [orders, setOrders] = useState<Order[]>();
  const [toast, setToast] = useState('');

  const load = useCallback(async () => {
    try {
      setOrders(await getOrders(search));
    } catch (error) {
      setToast(messageOf(error));
    }
  }, [search]);

  useEffect(() => {
    void load();
  }, [load]);

  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setToast('');
    try {
      await work();
      await load();
      return true;
    } catch (error) {
      setToast(messageOf(error));
      return false;
    }
  };

  return {
    orders,
    toast,
    create: (input: OrderInput) => run(() => createOrder(input)),
    cancel: (id: string) => run(() => cancelOrder(id)),
  };
}
