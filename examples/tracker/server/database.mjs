// @ts-check
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { ISSUE_COUNT, seed } from './seed.mjs';

/** @typedef {import('node-sqlite3-wasm').Database} Database */

/** Raise it when the tables or the seed change: a file of another version is made anew. */
const VERSION = 3;

const TABLES = `
  CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    handle TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,
    hue INTEGER NOT NULL
  );
  CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    hue INTEGER NOT NULL
  );
  CREATE TABLE labels (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    hue INTEGER NOT NULL
  );
  CREATE TABLE issues (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL REFERENCES projects(id),
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL,
    priority INTEGER NOT NULL,
    author INTEGER NOT NULL REFERENCES users(id),
    assignee INTEGER REFERENCES users(id),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (project, number)
  );
  CREATE TABLE issue_labels (
    issue INTEGER NOT NULL REFERENCES issues(id) ON DELETE CASCADE,
    label INTEGER NOT NULL REFERENCES labels(id),
    PRIMARY KEY (issue, label)
  ) WITHOUT ROWID;
  CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    issue INTEGER NOT NULL REFERENCES issues(id) ON DELETE CASCADE,
    author INTEGER NOT NULL REFERENCES users(id),
    body TEXT NOT NULL,
    created_at TEXT NOT NULL
  );
  CREATE TABLE changes (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    client TEXT NOT NULL,
    kind TEXT NOT NULL,
    record INTEGER NOT NULL,
    is_new INTEGER NOT NULL
  );
`;

/** For each filter and each order. Made after the rows: that takes half the time. */
const INDEXES = `
  CREATE INDEX issues_by_status ON issues(status);
  CREATE INDEX issues_by_project ON issues(project);
  CREATE INDEX issues_by_project_status ON issues(project, status);
  CREATE INDEX issues_by_assignee ON issues(assignee);
  CREATE INDEX issues_by_update ON issues(updated_at);
  CREATE INDEX issues_by_priority ON issues(priority = 0, priority, -id);
  CREATE INDEX issues_by_title ON issues(title COLLATE NOCASE);
  CREATE INDEX issue_labels_by_label ON issue_labels(label);
  CREATE INDEX comments_by_issue ON comments(issue);
`;

/**
 * Opens the database file; makes and fills it when it is missing or of another version.
 * @param {string} file
 * @param {number} [issueCount] of a new database
 * @returns {Database}
 */
export function openDatabase(file, issueCount = ISSUE_COUNT) {
  mkdirSync(dirname(file), { recursive: true });
  let database = open(file);
  const version = Number(database.get('PRAGMA user_version')?.['user_version']);
  if (version === VERSION) return database;
  database.close();
  deleteDatabase(file);
  database = open(file);
  inTransaction(database, () => {
    database.exec(TABLES);
    seed(database, issueCount);
    database.exec(INDEXES);
    database.exec(`PRAGMA user_version = ${VERSION}`);
  });
  return database;
}

/**
 * Removes the file and the files that SQLite keeps next to it.
 * @param {string} file
 */
export function deleteDatabase(file) {
  for (const suffix of ['', '-journal', '.lock'])
    rmSync(file + suffix, { recursive: true, force: true });
}

/**
 * Runs `work` so that all of its changes are kept, or none.
 * @template T
 * @param {Database} database
 * @param {() => T} work
 * @returns {T}
 */
export function inTransaction(database, work) {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** @param {string} file */
function open(file) {
  const database = new sqlite.Database(file);
  // The lock is a folder next to the file. A server that was killed in mid-statement leaves it behind;
  // one that is alive gives it back at once, or after it has filled a new file.
  for (let attempt = 0; isLocked(database); attempt++) {
    if (attempt === 50) rmSync(`${file}.lock`, { recursive: true, force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  database.exec('PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL');
  return database;
}

/** @param {Database} database */
function isLocked(database) {
  try {
    database.get('PRAGMA user_version');
    return false;
  } catch (error) {
    if (error instanceof Error && error.message.includes('locked')) return true;
    throw error;
  }
}
