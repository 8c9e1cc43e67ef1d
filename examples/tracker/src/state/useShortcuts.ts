import { useEffect, useEffectEvent } from 'react';
import { undoLast } from './toasts.js';

const FIELDS = 'input:not([type="range"]), textarea, select, dialog, [popover]';

/** Keys that work anywhere outside a field: C creates, / searches, Escape closes the detail pane, Ctrl+Z undoes a delete. */
export function useShortcuts(actions: { create: () => void; close: () => void }) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target;
    if (event.altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest(FIELDS)) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === 'z' && !event.shiftKey) undoLast();
      return;
    }
    if (event.key === 'c') {
      event.preventDefault();
      actions.create();
    } else if (event.key === '/') {
      event.preventDefault();
      document.getElementById('search')?.focus();
    } else if (event.key === 'Escape') {
      actions.close();
    }
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
