// @ts-check
/**
 * The API reports: for each entry point, everything that users can import, in one file that a review can diff.
 *
 *   node api.mjs            fails when a report in `packages/*\/api` is not what the built declarations say
 *   node api.mjs --write    writes the reports
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { entries, root } from './entries.mjs';

const isWriting = process.argv.includes('--write');
let failures = 0;

for (const { name, folder, types } of entries()) {
  const fileName = `${name.replaceAll('/', '-')}.api.md`;
  const reports = join(folder, 'api');
  mkdirSync(reports, { recursive: true });
  const config = ExtractorConfig.prepare({
    configObjectFullPath: join(folder, 'api-extractor.json'),
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: {
        overrideTsconfig: {
          extends: join(root, 'tsconfig.base.json'),
          compilerOptions: { types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] },
          files: [types],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: fileName,
        reportFolder: reports,
        reportTempFolder: join(root, '.cache', 'api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      newlineKind: 'lf',
      messages: {
        // The comments are written for editors and the reference, whose tools understand more than TSDoc.
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          'ae-missing-release-tag': { logLevel: ExtractorLogLevel.None },
          // Steps on the way to an exported type; what users would have to name is proved by tools/types-compat.
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.None },
          // The reference is where a missing comment fails.
          'ae-undocumented': { logLevel: ExtractorLogLevel.None },
          'ae-unresolved-link': { logLevel: ExtractorLogLevel.None },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    localBuild: isWriting,
    messageCallback(message) {
      if (message.logLevel === ExtractorLogLevel.Error) console.error(`${name}: ${message.text}`);
      message.handled = true;
    },
  });
  if (apiReportChanged && !isWriting) {
    console.error(`${name}: the API changed. If that is meant: npm run api -- --write`);
  }
  if (!succeeded) failures++;
}
if (failures > 0) process.exitCode = 1;
else
  console.log(
    `API reports of ${entries()
      .map(({ name }) => name)
      .join(', ')} are up to date.`,
  );
