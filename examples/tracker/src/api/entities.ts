import { Entity } from 'restitch';

export const statuses = [
  'backlog',
  'todo',
  'in_progress',
  'in_review',
  'done',
  'canceled',
] as const;
export type Status = (typeof statuses)[number];

export const priorities = [0, 1, 2, 3, 4] as const;
export type Priority = (typeof priorities)[number];

// Each class names its `key`: the build shortens class names.

export class User extends Entity {
  id = 0;
  name = '';
  handle = '';
  role = '';
  hue = 0;

  static key = 'User';

  get initials() {
    const words = this.name.split(/\s+/).filter(Boolean);
    return [words[0], words.length > 1 ? words.at(-1) : '']
      .map((word) => word?.[0] ?? '')
      .join('')
      .toUpperCase();
  }
}

export class Project extends Entity {
  id = '';
  name = '';
  hue = 0;
  openCount = 0;

  static key = 'Project';
}

export class Label extends Entity {
  id = 0;
  name = '';
  hue = 0;

  static key = 'Label';
}

export class Issue extends Entity {
  id = 0;
  number = 0;
  title = '';
  description = '';
  status: Status = 'todo';
  priority: Priority = 0;
  /** The project's id. Its record holds a count that changes often, and rows should not render for that. */
  project = '';
  author = User.fromJS();
  assignee: User | null = null;
  labels: Label[] = [];
  commentCount = 0;
  createdAt = new Date();
  updatedAt = new Date();

  static key = 'Issue';
  static schema = {
    author: User,
    assignee: User,
    labels: [Label],
    createdAt: Date,
    updatedAt: Date,
  };

  /** False until the server has created the issue: until then its key is a negative number. */
  get isSaved() {
    return this.id > 0;
  }

  get identifier() {
    return `${this.project}-${this.isSaved ? this.number : '…'}`;
  }
}

export class Comment extends Entity {
  id = 0;
  body = '';
  author = User.fromJS();
  createdAt = new Date();

  static key = 'Comment';
  // The response to a new comment has the issue's new number of comments: one response, two records.
  static schema = { author: User, issue: Issue, createdAt: Date };

  get isSaved() {
    return this.id > 0;
  }
}
