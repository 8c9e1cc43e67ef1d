/** An application of two routes, each loaded when it is asked for. Minified, all classes and functions of it lose their names. */
import { Controller } from 'restitch';

const controller = new Controller();
const routes = {
  orders: () => import('./orders.js'),
  people: () => import('./people.js'),
};

/** Shows what both routes read, in the order in which they were opened. */
async function start(): Promise<void> {
  const texts: string[] = [];
  const order = new URLSearchParams(location.search).get('order')?.split(',') ?? [];
  for (const name of order) {
    const { show } = await routes[name as keyof typeof routes]();
    texts.push(await show(controller));
  }
  for (const name of order) {
    const { again } = await routes[name as keyof typeof routes]();
    texts.push(again(controller));
  }
  document.body.textContent = texts.join('\n');
}

void start();
