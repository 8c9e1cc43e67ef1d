import * as library from 'library';
import { startTransition, Suspense, useEffect, useState, version } from 'react';
import { createRoot } from 'react-dom/client';
import { PAGES, received } from './workload.js';

const { Provider, Row, Suspending, Flagged, seed, update, updateAll } = library;
const Boundary =
  library.Boundary ?? (({ children }) => <Suspense fallback={<p>loading</p>}>{children}</Suspense>);

const container = document.body.appendChild(document.createElement('main'));
let renders = 0;
const count = () => {
  renders += 1;
};
let show;
let loadNext;
const setLoadNext = (next) => {
  loadNext = next;
};

function Rows({ size }) {
  return (
    <ul>
      {Array.from({ length: size }, (_, index) => (
        <Row key={index} id={`i${index}`} count={count} />
      ))}
    </ul>
  );
}

function Input() {
  const [text, setText] = useState('');
  return <input value={text} onChange={(event) => setText(event.target.value)} />;
}

function App() {
  const [page, setPage] = useState({ kind: 'nothing' });
  useEffect(() => {
    show = setPage;
  }, []);
  switch (page.kind) {
    case 'rows':
      return (
        <>
          <Input />
          <Rows size={page.size} />
        </>
      );
    case 'suspending':
      return (
        <Boundary>
          <Suspending id={page.id} />
        </Boundary>
      );
    case 'flagged':
      return <Flagged id={page.id} />;
    case 'pages':
      return (
        <Boundary>
          <library.Pages count={count} onReady={setLoadNext} />
        </Boundary>
      );
    default:
      return <b>nothing</b>;
  }
}

/** As users do it: React then renders in the same task. */
function inClick(work) {
  const button = document.createElement('button');
  button.addEventListener('click', work);
  button.click();
}

const turn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const idle = async () => {
  for (let index = 0; index < 4; index += 1) {
    await frame();
    await turn();
  }
};

/** Milliseconds from a click to the document in which `isThere`. */
function until(work, isThere, limit = 5_000) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const check = () => {
      if (!isThere()) return;
      const end = performance.now();
      observer.disconnect();
      clearTimeout(timer);
      resolve(end - begin);
    };
    const observer = new MutationObserver(check);
    observer.observe(container, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    });
    const timer = setTimeout(() => {
      observer.disconnect();
      reject(new Error('It never came.'));
    }, limit);
    inClick(work);
  });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
/** The lower quartile, for many short runs: it leaves out the work of other programs on the machine. */
const lowerQuartile = (numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 4)];
const rows = () => container.getElementsByTagName('li');
const empty = () =>
  until(
    () => show({ kind: 'nothing' }),
    () => container.firstElementChild?.tagName === 'B',
  );

async function mount(size) {
  await until(
    () => show({ kind: 'rows', size }),
    () => rows().length === size,
  );
  await idle();
}

const scenarios = {
  async update() {
    await mount(1_000);
    const times = [];
    const before = renders;
    const turns = 1_000;
    for (let index = 0; index < turns; index += 1) {
      const place = (index * 37) % 1_000;
      const row = rows()[place];
      const title = `Title ${index}`;
      times.push(
        await until(
          () => update(`i${place}`, title),
          () => row.textContent === title,
        ),
      );
      await turn();
    }
    const perUpdate = (renders - before) / turns;
    await empty();
    return { update: lowerQuartile(times.slice(turns / 2)), renders: perUpdate };
  },

  async mounting() {
    const result = {};
    for (const size of [1_000, 5_000]) {
      const times = [];
      for (let index = 0; index < (size > 1_000 ? 3 : 5); index += 1) {
        times.push(
          await until(
            () => show({ kind: 'rows', size }),
            () => rows().length === size,
          ),
        );
        await idle();
        await empty();
        await idle();
      }
      result[`mount${size}`] = median(times);
    }
    return result;
  },

  async content() {
    const result = {};
    let next = 0;
    for (const kind of ['suspending', 'flagged']) {
      if (kind === 'suspending' && !Suspending) continue;
      const first = [];
      const change = [];
      for (let index = 0; index < 5; index += 1) {
        const ids = [`${kind}${(next += 1)}`, `${kind}${(next += 1)}`];
        const shown = (id) => () => container.textContent === `Title ${id}`;
        first.push(await until(() => show({ kind, id: ids[0] }), shown(ids[0])));
        await idle();
        change.push(await until(() => show({ kind, id: ids[1] }), shown(ids[1])));
        await idle();
        await empty();
      }
      result[`${kind}First`] = median(first);
      result[`${kind}Change`] = median(change);
    }
    return result;
  },

  async cached() {
    const kind = Suspending ? 'suspending' : 'flagged';
    const shown = (id) => () => container.textContent === `Title ${id}`;
    for (const id of ['warm1', 'warm2']) await until(() => show({ kind, id }), shown(id));
    const times = [];
    for (let index = 0; index < 40; index += 1) {
      const id = `warm${(index % 2) + 1}`;
      times.push(await until(() => show({ kind, id }), shown(id)));
      await turn();
    }
    await empty();
    return { cached: lowerQuartile(times.slice(20)) };
  },

  /** Loads a long list page by page and shows its first rows: from each response to the document that has its rows. */
  async pages() {
    if (!library.Pages) return {};
    const length = () => Number(container.querySelector('section')?.title ?? 0);
    await until(
      () => show({ kind: 'pages' }),
      () => length() > 0,
    );
    const times = [];
    for (let page = 1; page < PAGES; page += 1) {
      const before = length();
      await until(
        () => void loadNext(),
        () => length() > before,
      );
      times.push(performance.now() - received.at);
      await turn();
    }
    await empty();
    return {
      secondPage: lowerQuartile(times.slice(0, 20)),
      lastPage: lowerQuartile(times.slice(-20)),
    };
  },

  /** Types a character each frame while 5 000 rows that changed render in a transition. */
  async typing() {
    const size = 5_000;
    await mount(size);
    const input = container.querySelector('input');
    const property = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    const setValue = (text) => property.set.call(input, text);
    const longest = [];
    const slow = [];
    const latest = [];
    const writes = [];
    for (let round = 0; round < 3; round += 1) {
      const last = rows()[size - 1];
      const before = last.textContent;
      const frames = [];
      let typed = '';
      let delay = 0;
      await frame();
      let previous = performance.now();
      const begin = previous;
      startTransition(() => updateAll(`Round ${round}`));
      writes.push(performance.now() - begin);
      for (let after = 0; after < 4;) {
        await frame();
        const now = performance.now();
        frames.push(now - previous);
        previous = now;
        if (last.textContent !== before) after += 1;
        typed += 'x';
        const text = typed;
        setValue(text);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await turn();
        delay = Math.max(delay, performance.now() - now);
        if (frames.length > 600) throw new Error('It never came.');
      }
      longest.push(Math.max(...frames));
      slow.push(frames.filter((time) => time > 50).length);
      latest.push(delay);
      await idle();
    }
    await empty();
    return {
      longestFrame: median(longest),
      slowFrames: median(slow),
      inputDelay: median(latest),
      write: median(writes),
    };
  },
};

window.run = async (names) => {
  const root = createRoot(container);
  await new Promise((resolve) => {
    root.render(
      <Provider>
        <App />
      </Provider>,
    );
    const wait = () => (show ? resolve() : setTimeout(wait, 1));
    wait();
  });
  await idle();
  inClick(() => seed(5_000));
  await idle();
  const result = { react: version };
  for (const name of names ?? Object.keys(scenarios)) {
    try {
      Object.assign(result, await scenarios[name]());
    } catch (error) {
      result[`${name}Failed`] = String(error);
      await empty().catch(() => {});
    }
  }
  return result;
};
