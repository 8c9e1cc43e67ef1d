import { afterAll } from 'vitest';
import { openLibrary } from '../../server/server.mjs';

// Before the modules of the application are imported: they read the address while they load.
const library = await openLibrary();
process.env['LIBRARY_URL'] = library.url;

afterAll(() => library.close());
