/** Runs inside of the bare host: everything that it uses comes from the library, the language, or the few globals there. */
import {
  Controller,
  Entity,
  FocusManager,
  NetworkError,
  PollingManager,
  resource,
  RestEndpoint,
  type Environment,
} from 'restitch';

class Task extends Entity {
  id = '';
  title = '';
  static override readonly key = 'Task';
}

/** The state of the screen and the network of a phone. */
interface Phone {
  isVisible: boolean;
  isOnline: boolean;
  notify: () => void;
}

const nameOf = (error: unknown): string => (error as Error).name;

/** Does a bit of everything against a server; gives what came of it. */
export async function run(urlPrefix: string): Promise<Record<string, unknown>> {
  const phone: Phone = { isVisible: true, isOnline: true, notify: () => {} };
  const environment: Partial<Environment> = {
    isVisible: () => phone.isVisible,
    isOnline: () => phone.isOnline,
    watch: (listener) => {
      phone.notify = listener;
      return () => (phone.notify = () => {});
    },
  };
  const controller = new Controller({
    managers: [new PollingManager(), new FocusManager()],
    environment,
  });
  const Tasks = resource({ urlPrefix, path: '/tasks/:id', schema: Task, optimistic: true });
  const seen: Record<string, unknown> = {};

  const view = controller.observe(Tasks.getList);
  let notified = 0;
  const unsubscribe = view.subscribe(() => (notified += 1));
  await view.load();
  seen['list'] = controller.getResponse(Tasks.getList)?.map(({ title }) => title);
  const renaming = controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'renamed' });
  seen['optimistic'] = controller.get(Task, { id: '1' })?.title;
  await renaming;
  await controller.fetch(Tasks.getList.push, { title: 'created' });
  await controller.fetch(Tasks.delete, { id: '2' });
  seen['after'] = controller.getResponse(Tasks.getList)?.map(({ title }) => title);
  seen['notified'] = notified > 0;

  const form = new FormData();
  form.append('title', 'from a form');
  // The cast: React Native's own type of a form.
  const created = await controller.fetch(Tasks.getList.push, form as unknown as { title: string });
  seen['form'] = created.title;

  const missing = new RestEndpoint({ urlPrefix, path: '/missing' });
  const failure: unknown = await controller.fetch(missing).catch((error: unknown) => error);
  seen['failure'] = failure instanceof NetworkError && failure.status;
  const slow = new RestEndpoint({ urlPrefix, path: '/slow', timeout: 10 });
  seen['timeout'] = await controller.fetch(slow).catch(nameOf);
  const abort = new AbortController();
  const aborted = controller.fetch(
    new RestEndpoint({ urlPrefix, path: '/slow', signal: abort.signal }),
  );
  abort.abort();
  seen['abort'] = await aborted.catch(nameOf);
  const abandoned = controller.fetch(new RestEndpoint({ urlPrefix, path: '/slow' }));
  controller.resetEntireStore();
  seen['reset'] = await abandoned.catch(nameOf);

  const getCount = new RestEndpoint({ urlPrefix, path: '/count', pollFrequency: 1 });
  let polls = 0;
  const polled = new Promise<void>((resolve) => {
    const count = controller.observe(getCount);
    count.subscribe(() => {
      polls += 1;
      if (polls === 2) resolve();
    });
  });
  controller.subscribe(getCount);
  await polled;
  phone.isVisible = false;
  phone.notify();
  seen['polled'] = polls >= 2;
  controller.unsubscribe(getCount);

  unsubscribe();
  controller.dispose();
  return seen;
}
