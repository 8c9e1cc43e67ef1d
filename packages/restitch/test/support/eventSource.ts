import { get, type IncomingMessage } from 'node:http';

/** As much of an `EventSource` as a client needs, over `node:http`: Node 20 has none. It does not connect again by itself. */
export class NodeEventSource extends EventTarget {
  readyState = 0;
  readonly #request;

  constructor(url: string) {
    super();
    this.#request = get(url, (response) => this.#read(response));
    this.#request.on('error', () => this.#fail());
  }

  close(): void {
    this.readyState = 2;
    this.#request.destroy();
  }

  #read(response: IncomingMessage): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#dispatch(block);
    });
    response.on('error', () => this.#fail());
    response.on('end', () => this.#fail());
  }

  #dispatch(block: string): void {
    const lines = block.split('\n');
    const valueOf = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = valueOf('data');
    if (data !== undefined) {
      this.dispatchEvent(new MessageEvent(valueOf('event') ?? 'message', { data }));
    }
  }

  #fail(): void {
    if (this.readyState === 2) return;
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }
}
