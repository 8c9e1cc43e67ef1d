import { useEffect, useEffectEvent } from 'react';

const FIELDS = 'input:not([type="range"]), textarea, select, dialog, [popover]';

/** Keys that work anywhere outside a field: C creates, / searches, Escape closes the detail pane. */
export function useShortcuts(actions: { create: () => void; close: () => void }) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest(FIELDS)) return;
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
