import { useEffect, useState, useTransition } from 'react';
import { startTimer } from '../host/startTimer.js';

/**
 * Returns `[value, isPending]`. The returned value changes only after the given value has stayed
 * the same for `ms`.
 *
 * @remarks The returned value changes in a transition, so that its requests do not replace the
 * screen with a fallback. `isPending` is true from a change of the given value until the screen
 * contains it. If the value is a function, the hook does not call it.
 *
 * @param value The value to debounce.
 * @param ms Milliseconds for which `value` must stay the same. `Infinity` keeps the first value.
 * @param updatable While false, the returned value does not change. Default: true.
 *
 * @example
 * ```tsx
 * import { useState } from 'react';
 * import { useDebounce } from 'restitch/react';
 *
 * export function Search() {
 *   const [text, setText] = useState('');
 *   const [query, isPending] = useDebounce(text, 200);
 *   return (
 *     <label aria-busy={isPending}>
 *       {query} <input value={text} onChange={(event) => setText(event.target.value)} />
 *     </label>
 *   );
 * }
 * ```
 */
export function useDebounce<T>(
  value: T,
  ms: number,
  updatable: boolean = true,
): [value: T, isPending: boolean] {
  const [rested, setRested] = useState<T>(() => value);
  const [isUpdating, start] = useTransition();
  const isBehind = updatable && !Object.is(value, rested);
  useEffect(() => {
    if (!isBehind) return;
    return startTimer(() => start(() => setRested(() => value)), ms);
  }, [value, ms, isBehind, start]);
  return [rested, isBehind || isUpdating];
}
