import { version } from 'react';
import * as dom from 'react-dom';

for (const found of [version, dom.version]) {
  if (!found.startsWith('18.3.'))
    throw new Error(`These tests are for React 18.3; found ${found}.`);
}
