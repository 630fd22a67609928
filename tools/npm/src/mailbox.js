// Lines through shared memory, which a worker reads while it is busy: a ring of bytes with one writer
// and one reader.

const CAPACITY = 1 << 16;
const RETRY = 10;
/** The counters of bytes written and read, both modulo 2^32, and whether all are written. */
const [WRITTEN, READ, ENDED] = [0, 1, 2];
const HEADER = 3 * 4;
const LINE_END = 10;

function ring(memory) {
  return { counters: new Int32Array(memory, 0, 3), bytes: new Uint8Array(memory, HEADER) };
}

/** The writing end. `memory` is for the reader, whom `wake` wakes if it sleeps. */
export class MailboxWriter {
  memory = new SharedArrayBuffer(HEADER + CAPACITY);
  #ring = ring(this.memory);
  #pending = [];
  #timer = 0;
  #ended = false;
  #wake;

  constructor(wake = () => {}) {
    this.#wake = wake;
  }

  /** Sends bytes. What finds no room is sent later. */
  write(bytes) {
    this.#pending.push(bytes);
    this.#flush();
  }

  /** There will be no more bytes. */
  end() {
    this.#ended = true;
    this.#flush();
  }

  #flush() {
    const { counters, bytes } = this.#ring;
    clearTimeout(this.#timer);
    while (this.#pending.length > 0) {
      const written = Atomics.load(counters, WRITTEN);
      const room = CAPACITY - ((written - Atomics.load(counters, READ)) >>> 0);
      const [next] = this.#pending;
      const part = next.subarray(0, room);
      const start = (written >>> 0) % CAPACITY;
      const first = part.subarray(0, CAPACITY - start);
      bytes.set(first, start);
      bytes.set(part.subarray(first.length), 0);
      Atomics.store(counters, WRITTEN, (written + part.length) | 0);
      if (part.length < next.length) {
        this.#pending[0] = next.subarray(part.length);
        this.#timer = setTimeout(() => this.#flush(), RETRY);
        break;
      }
      this.#pending.shift();
    }
    if (this.#ended && this.#pending.length === 0) Atomics.store(counters, ENDED, 1);
    Atomics.notify(counters, WRITTEN);
    this.#wake();
  }
}

/** The reading end. */
export class MailboxReader {
  #ring;
  #line = [];

  constructor(memory) {
    this.#ring = ring(memory);
  }

  /** Waits up to `milliseconds` for bytes, and returns all complete lines; `null` at the end. */
  read(milliseconds) {
    const { counters, bytes } = this.#ring;
    const position = Atomics.load(counters, READ);
    const ended = Atomics.load(counters, ENDED) === 1;
    if (milliseconds > 0 && !ended) Atomics.wait(counters, WRITTEN, position, milliseconds);
    const count = (Atomics.load(counters, WRITTEN) - position) >>> 0;
    if (count === 0) return ended ? null : new Uint8Array(0);
    const start = (position >>> 0) % CAPACITY;
    const read = new Uint8Array(count);
    const first = bytes.subarray(start, Math.min(start + count, CAPACITY));
    read.set(first);
    read.set(bytes.subarray(0, count - first.length), first.length);
    Atomics.store(counters, READ, (position + count) | 0);
    const end = read.lastIndexOf(LINE_END) + 1;
    const complete = joined([...(end > 0 ? this.#line.splice(0) : []), read.subarray(0, end)]);
    this.#line.push(read.subarray(end));
    return complete;
  }
}

/** One array of all bytes. */
export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    all.set(part, length);
    length += part.length;
  }
  return all;
}
