// @ts-check
/** @typedef {{ id: string, title: string, body_text: string, file_name: string | null, byte_count: number }} Note */

/** The private notes of each user, in memory. */
export function createNotes() {
  let count = 0;
  /** @type {Map<string, { notes: Map<string, Note>, files: Map<string, Buffer> }>} */
  const shelves = new Map();

  /** @param {string} user */
  const shelfOf = (user) => {
    const known = shelves.get(user);
    if (known) return known;
    const shelf = { notes: new Map(), files: new Map() };
    shelves.set(user, shelf);
    for (const title of ['First', 'Second', 'Third']) add(shelf, { title: `${title} of ${user}` });
    return shelf;
  };

  /** @param {{ notes: Map<string, Note> }} shelf @param {{ title: string, body_text?: string }} fields */
  const add = ({ notes }, { title, body_text = '' }) => {
    count += 1;
    const note = { id: String(count), title, body_text, file_name: null, byte_count: 0 };
    notes.set(note.id, note);
    return note;
  };

  return {
    /** @param {string} user */
    list: (user) => [...shelfOf(user).notes.values()],
    /** @param {string} user @param {string} id */
    find: (user, id) => shelfOf(user).notes.get(id),
    /** @param {string} user @param {string} id */
    file: (user, id) => shelfOf(user).files.get(id),
    /**
     * Returns the mistakes in the fields of a note, by field.
     * @param {Record<string, unknown>} fields
     */
    problemsOf({ title, body_text }) {
      /** @type {Record<string, string>} */
      const problems = {};
      if (typeof title !== 'string' || !title.trim()) problems['title'] = 'must not be empty';
      if (typeof body_text === 'string' && body_text.length > 20)
        problems['body_text'] = 'must not be longer than 20 letters';
      return problems;
    },
    /** @param {string} user @param {{ title: string, body_text?: string }} fields */
    create: (user, fields) => add(shelfOf(user), fields),
    /** @param {string} user @param {string} id */
    remove: (user, id) => shelfOf(user).notes.delete(id),
    /** @param {string} user @param {Note} note @param {string} name @param {Buffer} bytes */
    attach(user, note, name, bytes) {
      shelfOf(user).files.set(note.id, bytes);
      Object.assign(note, { file_name: name, byte_count: bytes.length });
      return note;
    },
  };
}
