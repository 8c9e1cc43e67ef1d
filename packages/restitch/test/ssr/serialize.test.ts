import { Script, createContext } from 'node:vm';
import { Controller, Entity, type StoreState } from 'restitch';
import {
  dehydrate,
  hydrate,
  hydrateController,
  serializeState,
  stateSource,
  stateTransform,
  stateTransformStream,
} from 'restitch/ssr';
import { getState, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

const at = (now: number) => new Controller({ environment: { now: () => now } });

function withNotes(...texts: string[]): Controller {
  const controller = at(1_000);
  for (const [id, text] of texts.entries()) controller.set(Note, { id }, { text });
  return controller;
}

/** What a script of the library does in a page: gives what it hands over, and how often it removed itself. */
function run(source: string) {
  let removed = 0;
  const document = { currentScript: { remove: () => (removed += 1) } };
  const page: { document: object; self?: object; __restitch?: StoreState[] } = { document };
  page.self = page;
  new Script(source).runInContext(createContext(page));
  // Out of the realm of the context.
  const states: StoreState[] = JSON.parse(JSON.stringify(page.__restitch ?? []));
  return { states, removed };
}

const textsIn = (states: readonly StoreState[]) =>
  states.map(({ entities }) => entities['Note']?.map(({ fields }) => fields?.['text']));

describe('a script', () => {
  const nasty = [
    '</script><script>alert(1)</script>',
    '<!-- <script>',
    ']]>',
    'two\u2028lines\u2029more',
    `quotes ' " \` and a backslash \\`,
    'line\nbreak \0 and half a \ud800 character',
  ];

  it.each(nasty)('hands over %j as it is, and can be put into HTML', (text) => {
    const controller = withNotes(text);
    const element = serializeState(controller);
    const source = /^<script>(.*)<\/script>$/.exec(element)?.[1] ?? '';
    expect(source).not.toMatch(/[<>\u2028\u2029\n]/);
    const { states, removed } = run(source);
    expect(removed).toBe(1);
    expect(textsIn(states)).toEqual([[text]]);
  });

  it('hands over names such as __proto__', () => {
    const controller = at(0);
    controller.set(Note, { id: 'x' }, JSON.parse('{"__proto__": {"polluted": true}}'));
    const [state] = run(stateSource(controller)()).states;
    const fields = state?.entities['Note']?.[0]?.fields ?? {};
    expect(Object.hasOwn(fields, '__proto__')).toBe(true);
  });

  it('carries the nonce, which cannot end its attribute', () => {
    expect(serializeState(withNotes(), { nonce: 'abc+/=' })).toMatch(/^<script nonce="abc\+\/=">/);
    expect(serializeState(withNotes(), { nonce: '"><img>' })).toMatch(
      /^<script nonce="&#34;&#62;&#60;img&#62;">/,
    );
    const wrong = { nonce: 5 as unknown as string };
    for (const make of [serializeState, stateTransform, stateTransformStream]) {
      expect(() => make(withNotes(), wrong)).toThrow(/`nonce`/);
    }
  });

  it('is made of what was settled since the last one, and is none for nothing', () => {
    const controller = withNotes('one');
    const next = stateSource(controller);
    expect(textsIn(run(next()).states)).toEqual([['one']]);
    expect(next()).toBe('');
    controller.set(Note, { id: 7 }, { text: 'two' });
    expect(textsIn(run(next()).states)).toEqual([['two']]);
    controller.set(Note, { id: 0 }, { text: 'changed' });
    expect(textsIn(run(next()).states)).toEqual([['changed']]);
    expect(next()).toBe('');
  });
});

describe('repeated records of a later script', () => {
  it('is nothing that was made JSON of anew', () => {
    const controller = at(1_000);
    controller.set(Note, { id: '1' }, { text: 'one', at: new Date(5), size: 5n });
    const next = stateSource(controller);
    next();
    expect(next()).toBe('');
  });

  it('is a record that another class has read since: that one may take its fields, too', () => {
    class Owned extends Entity {
      id = '';
      owner: Note | undefined = undefined;
      static override key = 'Owned';
    }
    class Related extends Owned {
      static override schema = { owner: Note };
    }
    const controller = at(1_000);
    controller.set(Owned, { id: '1' }, { owner: '7' });
    const next = stateSource(controller);
    const browser = at(1_000);
    const page = openStream(browser);
    for (const state of run(next()).states) page.hydrate(state);
    controller.set(Related, { id: '1' }, { owner: '7' });
    for (const state of run(next()).states) page.hydrate(state);
    expect(browser.get(Related, '1')).toMatchObject({ id: '1' });
    expect(JSON.stringify(getState(browser).entities['Owned'])).toContain('"owner":"7"');
  });
});

describe('plain data', () => {
  it('goes from one controller to another, and lifetimes go on by the clock of the other', () => {
    const server = at(1_000_000);
    const client = at(5_000);
    server.set(Note, { id: 1 }, { text: 'hello' });
    const state: StoreState = JSON.parse(JSON.stringify(dehydrate(server)));
    hydrate(client, state);
    expect(client.get(Note, 1)?.text).toBe('hello');
    expect(getState(client).entities['Note']?.[0]?.expiresAt).toBe(5_000 + 60_000);
  });

  it('that is none is refused', () => {
    expect(() => hydrate(at(0), null as unknown as StoreState)).toThrow(/`state`/);
  });
});

describe('a stream that HTML goes through', () => {
  const encoder = new TextEncoder();
  const prologues = [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/>',
    '<!DOCTYPE html><html><head>',
    '<!doctype html>\n<html>\n<head>\n',
    '<html data-x="a &gt; b">',
    '<!doctype html>',
    '',
  ];

  async function transformed(html: string): Promise<string> {
    const stream = stateTransformStream(withNotes('x'));
    const writer = stream.writable.getWriter();
    const text = new Response(stream.readable).text();
    await writer.write(encoder.encode(html));
    await writer.close();
    return text;
  }

  it.each(prologues)('the first data come after %j', async (prologue) => {
    const html = await transformed(`${prologue}<title>ä</title><p>text</p>`);
    expect(html.startsWith(`${prologue}<script>`)).toBe(true);
    expect(html.endsWith('</script><title>ä</title><p>text</p>')).toBe(true);
  });

  it('a piece that ends within a tag is not torn apart', async () => {
    const controller = withNotes('one');
    const html = stateTransform(controller);
    const sent: string[] = [];
    html.on('data', (chunk: Buffer) => sent.push(chunk.toString()));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    html.write('<div class="a');
    await turn();
    await turn();
    expect(sent).toEqual([]);
    html.write('b">');
    await turn();
    await turn();
    expect(sent.join('')).toMatch(/^<script>.*<\/script><div class="ab">$/);
  });

  it('without data nothing is added', async () => {
    const stream = stateTransformStream(at(0));
    const writer = stream.writable.getWriter();
    const text = new Response(stream.readable).text();
    await writer.write(encoder.encode('<p>text</p>'));
    await writer.close();
    expect(await text).toBe('<p>text</p>');
  });
});

it('outside of a page `hydrateController` is an ordinary controller', () => {
  const controller = hydrateController({ dataExpiryLength: 5, environment: { now: () => 0 } });
  controller.set(Note, { id: 1 }, { text: 'x' });
  expect(getState(controller).entities['Note']?.[0]?.expiresAt).toBe(5);
});
