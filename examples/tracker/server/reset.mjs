// @ts-check
/** Makes the database as it was at the first start. Stop the demo before. */
import { deleteDatabase, openDatabase } from './database.mjs';
import { ISSUE_COUNT } from './seed.mjs';
import { DATABASE_FILE } from './server.mjs';

deleteDatabase(DATABASE_FILE);
openDatabase(DATABASE_FILE).close();
console.log(`The database holds its first ${ISSUE_COUNT.toLocaleString('en')} issues again.`);
