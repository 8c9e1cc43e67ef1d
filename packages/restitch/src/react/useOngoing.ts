import { useEffect, useRef } from 'react';
import { internalsOf } from '../controller/internals.js';
import type { Controller, View } from '../index.js';
import { useLayout } from './root.js';

interface Ongoing {
  /** The view of the last render, while the component is visible. */
  visible?: object | undefined;
  /** The view that requests were begun for. */
  view?: object | undefined;
  end?: (() => void) | undefined;
}

/**
 * Runs `begin` after renders with another view or `option`. `begin` starts repeated requests, such
 * as a poll, and returns a function that ends them.
 *
 * A component that is hidden by a fallback keeps its passive effects, although it may have rendered
 * for another user. So at a reset, the requests of a hidden component end. They begin again when
 * the component becomes visible.
 */
export function useOngoing(
  controller: Controller,
  view: Pick<View<unknown>, 'isPaused' | 'retain'> | undefined,
  begin: () => () => void,
  option?: unknown,
): void {
  const ongoing = useRef<Ongoing>({});
  const start = (): void => {
    const { current } = ongoing;
    const endBefore = current.end;
    current.view = view;
    current.end = view && begin();
    // A poll or stream that the component subscribes to again stays open.
    endBefore?.();
  };
  const end = (): void => {
    const { current } = ongoing;
    current.end?.();
    current.end = undefined;
  };
  useLayout(() => {
    const { current } = ongoing;
    current.visible = view;
    // Passive effects run again only for another view.
    if (view && view === current.view && !current.end) start();
    return () => {
      current.visible = undefined;
      if (view?.isPaused) end();
    };
  }, [view]);
  useEffect(() => {
    start();
    // Without requests, the view stays paused nevertheless.
    return view?.retain();
    // oxlint-disable-next-line react/exhaustive-deps -- `begin` changes in each render
  }, [controller, view, option]);
  useEffect(() => {
    const { current } = ongoing;
    const stop = internalsOf(controller).beforeReset.add(() => {
      // Also true after a render with another view, until its passive effects run.
      if (current.visible !== current.view) end();
    });
    return () => {
      stop();
      end();
      current.view = undefined;
    };
  }, [controller]);
}
