/** New text, or a range of the source to copy. Edits inside the range are applied to the copy. */
export type Piece = string | readonly [start: number, end: number];

/** Replaces a range of the source. All other text stays byte for byte. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

interface Node extends Edit {
  readonly children: Node[];
}

// Returns the edits as a tree: an edit inside the range of another edit is its child. If two
// ranges are equal, the edit that was added later is the child. Insertions have no children.
function nest(edits: readonly Edit[]): Node[] {
  const roots: Node[] = [];
  const open: Node[] = [];
  const ordered = edits
    .map((edit, index) => ({ edit, index }))
    .sort(
      (a, b) =>
        a.edit.start - b.edit.start ||
        // An insertion comes before a replacement at the same place.
        Number(a.edit.end !== a.edit.start) - Number(b.edit.end !== b.edit.start) ||
        b.edit.end - a.edit.end ||
        a.index - b.index,
    );
  for (const { edit } of ordered) {
    const node: Node = { ...edit, children: [] };
    for (let top = open.at(-1); top && edit.start >= top.end; top = open.at(-1)) open.pop();
    const parent = open.at(-1);
    if (parent && edit.end > parent.end) throw new Error('Two edits overlap');
    (parent?.children ?? roots).push(node);
    if (edit.end > edit.start) open.push(node);
  }
  return roots;
}

function render(source: string, start: number, end: number, edits: readonly Node[]): string {
  let text = '';
  let at = start;
  for (const edit of edits) {
    if (edit.start < at || edit.end > end) continue;
    text += source.slice(at, edit.start);
    for (const piece of edit.pieces) {
      text += typeof piece === 'string' ? piece : render(source, piece[0], piece[1], edit.children);
    }
    at = edit.end;
  }
  return text + source.slice(at, end);
}

export const applyEdits = (source: string, edits: readonly Edit[]): string =>
  render(source, 0, source.length, nest(edits));

export const insertion = (at: number, text: string): Edit => ({
  start: at,
  end: at,
  pieces: [text],
});
