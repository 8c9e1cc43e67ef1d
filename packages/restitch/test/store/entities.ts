import { Entity } from 'restitch';

/** The records that the tests of the store share. */
export class User extends Entity {
  id = '';
  name = '';

  static override key = 'User';

  get initial(): string {
    return this.name.slice(0, 1);
  }
}

export class Issue extends Entity {
  id = '';
  title = '';
  status = 'open';
  author = User.fromJS({});
  openedAt = new Date(0);

  static override key = 'Issue';
  static override schema = { author: User, openedAt: Date };
}
