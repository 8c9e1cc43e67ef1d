/**
 * The keyboard focus among the rows of the list. A row that an action takes away gives its focus to a neighbor; one that comes back
 * takes it again.
 */
let awaited: number | undefined;
let reveal: ((id: number) => void) | undefined;

/** Focuses the row of an issue, now or when it appears within a second. The list is scrolled to it. */
export function focusRow(id: number) {
  if (focusLink(find(id))) return;
  awaited = id;
  reveal?.(id);
  setTimeout(() => {
    if (awaited === id) awaited = undefined;
  }, 1_000);
}

/** Focuses the row below, or else the one above. Call it before the row goes. */
export function focusNeighbor(id: number) {
  const row = find(id);
  if (!focusLink(row?.nextElementSibling)) focusLink(row?.previousElementSibling);
}

/** Keeps the focus in the row or the pane of an element that is about to go, or else in the list. */
export function focusNear(element: Element) {
  const near =
    element.closest('.row')?.querySelector('a') ??
    element.closest('.issue')?.querySelector('textarea') ??
    document.querySelector<HTMLElement>('.row-link');
  near?.focus();
}

/** Called by each row that appears. */
export function rowAppeared(id: number) {
  if (awaited !== id) return;
  awaited = undefined;
  focusLink(find(id));
}

/** The list says how it is scrolled to an issue. */
export function onReveal(scrollTo: (id: number) => void): () => void {
  reveal = scrollTo;
  return () => {
    if (reveal === scrollTo) reveal = undefined;
  };
}

const find = (id: number) => document.querySelector(`[data-issue="${id}"]`);

function focusLink(row: Element | null | undefined): boolean {
  const link = row?.querySelector('a');
  link?.focus();
  return link !== null && link !== undefined;
}
