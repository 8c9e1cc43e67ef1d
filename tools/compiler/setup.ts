import { useDLE } from 'restitch/react';

// The compiler's memory: `_c(13)`, or `.c)(13)` where imports became members.
if (!/[._]c\)?\(\d+\)/.test(String(useDLE))) {
  throw new Error('The hooks are not compiled: the plugin did not see them.');
}
