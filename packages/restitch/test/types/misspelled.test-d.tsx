import {
  Collection,
  Controller,
  DevToolsManager,
  Entity,
  LogoutManager,
  StreamManager,
} from 'restitch';
import { DataProvider, useLoading } from 'restitch/react';

class User extends Entity {
  id = '';
}

// Options that take no further members refuse a misspelled one
// @ts-expect-error
new Controller({ manager: [] });
// @ts-expect-error
new Controller({ dataExpiryLenght: 1_000 });
// @ts-expect-error
new Collection([User], { argskey: () => ({}) });
// @ts-expect-error
new Collection([User], { nonFilterArgumentKey: ['sort'] });
// @ts-expect-error
new LogoutManager({ handleLogut: () => {} });
// @ts-expect-error
new DevToolsManager({ nmae: 'shop' });
// @ts-expect-error
new StreamManager({ url: () => undefined, onMesage: () => {} });
// @ts-expect-error
void (<DataProvider manager={[]} />);

export function useSave() {
  // @ts-expect-error
  useLoading(async () => 1, { onSucces: () => {} });
}
