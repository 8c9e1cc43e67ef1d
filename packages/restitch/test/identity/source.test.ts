/** Identity 8.3: names of functions and classes are for messages. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SOURCE = new URL('../../src/', import.meta.url);

/**
 * Where the source reads a name, and why that identifies nothing. A new place is added here only if the name goes into a
 * message: minifiers give two classes one name.
 */
const READS: Readonly<Record<string, string>> = {
  'controller/normalizeResponse.ts': 'errors',
  'controller/receiveResponse.ts': 'errors',
  'controller/EndpointView.ts': 'errors',
  'controller/failRequest.ts': 'the name of an error, and errors',
  'controller/Failures.ts': 'errors',
  'controller/showOptimistic.ts': 'errors',
  'controller/pending.ts': 'what users look at',
  'controller/storeResponse.ts': 'errors',
  'controller/resultOf.ts': 'errors',
  'controller/sendRequest.ts': 'errors',
  'controller/setValue.ts': 'errors',
  'controller/temporaryKeys.ts': 'errors',
  'controller/unreadableError.ts': 'errors',
  'endpoint/batched.ts': 'errors',
  'endpoint/content.ts': 'errors',
  'endpoint/functionEndpoint.ts': 'the name of an endpoint, for errors',
  'endpoint/cacheKeys.ts': 'errors',
  'endpoint/misspelledOptions.ts': 'errors',
  'endpoint/operations.ts': 'the explicit name of an endpoint, which a stored mutation needs',
  'endpoint/path.ts': 'names of path parameters',
  'endpoint/resource.ts': 'the names of its endpoints, for errors',
  'endpoint/restEndpointClass.ts': 'errors, and the names of further endpoints',
  'endpoint/search.ts': 'errors',
  'errors/NetworkError.ts': 'the name of an error',
  'managers/DevToolsManager.ts': 'what developers look at',
  'pagination/infinite.ts': 'errors',
  'pagination/windowEndpointOf.ts': 'errors',
  'schema/collectionClass.ts': 'the explicit `name` option of lists',
  'schema/customKind.ts': 'errors',
  'schema/EntityMixin.ts': 'the class that is made is called as its base',
  'schema/listEndpoints.ts': 'the names of further endpoints',
  'schema/listHomes.ts': 'the explicit `name` option of lists',
  'schema/shape.ts': 'errors',
  'state/exportState.ts': 'errors',
  'state/inspect.ts': 'what developers look at',
  'state/requireNames.ts': 'errors',
  'state/exportedParts.ts': 'the explicit name of an endpoint, which its keys outside need',
  'store/cells/tables.ts': 'errors',
  'store/journal/applyPatch.ts': 'errors',
  'store/views/missingFields.ts': 'errors',
  'store/normalize/normalizeRow.ts': 'errors',
  'store/normalize/normalizeErrors.ts': 'errors',
  'store/cells/results.ts': 'errors',
  'store/normalize/rowKeys.ts': 'errors',
  'testing/matching.ts': 'errors',
};

/** Reads of a member `name`, comments left out. */
function readsIn(text: string): readonly string[] {
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .split('\n')
    .filter((line) => /\.name\b(?!\s*[=(])/.test(line));
}

it('no name of a function or class is read outside of messages', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file));
  const found = files.filter(
    (file) => readsIn(readFileSync(new URL(file, SOURCE), 'utf8')).length > 0,
  );
  expect(found.filter((file) => !(file in READS))).toEqual([]);
  expect(files).toContain('schema/identityText.ts');
});

it('the modules that make identities read no name at all', () => {
  for (const file of [
    'schema/identityText.ts',
    'schema/signature.ts',
    'store/cells/keys.ts',
    'schema/sameProcessing.ts',
  ]) {
    expect(readsIn(readFileSync(new URL(file, SOURCE), 'utf8')), file).toEqual([]);
  }
});
