// One engine: an instance of the WebAssembly module, and what it asks of its host.

import { joined, MailboxReader } from "./mailbox.js";

/** Whether an instance can be suspended, and so be reached while it searches. */
export const canSuspend = "Suspending" in WebAssembly;

/**
 * The lines of a client whose messages arrive between two tasks of this thread. To get them, the
 * instance is suspended.
 */
class MessageQueue {
  #lines = [];
  #ended = false;
  #arrived = null;
  #channel = new MessageChannel();
  #turns = [];

  constructor() {
    this.#channel.port1.onmessage = () => this.#turns.shift()?.();
  }

  push(bytes) {
    this.#lines.push(bytes);
    this.#arrived?.();
  }

  /** There will be no more lines. */
  end() {
    this.#ended = true;
    this.#arrived?.();
  }

  /**
   * Resolves to the lines of all messages that have arrived, or of one that arrives within this time;
   * to `null` at the end.
   */
  async read(milliseconds) {
    if (this.#lines.length === 0 && !(this.#ended && milliseconds > 0)) {
      await new Promise((resolve) => {
        if (milliseconds === 0) {
          this.#turns.push(resolve);
          this.#channel.port2.postMessage(null);
        } else {
          const timer = setTimeout(resolve, milliseconds);
          this.#arrived = () => {
            clearTimeout(timer);
            resolve();
          };
        }
      });
      this.#arrived = null;
    }
    if (this.#lines.length === 0 && this.#ended) return null;
    return joined(this.#lines.splice(0));
  }

  close() {
    this.#channel.port1.close();
  }
}

/** The memory of a module with threads, as it was linked (tools/web/src/toolchain.rs). */
export function sharedHeap() {
  return new WebAssembly.Memory({ initial: 512, maximum: 32768, shared: true });
}

/** The same clock in all workers. */
const now = () => performance.timeOrigin + performance.now();

/** Does the work of an engine's helper, with `length` bytes at `address` for itself. Never returns. */
export async function help(module, { heap, address, length }) {
  const unused = () => {
    throw new Error("not for helpers");
  };
  const host = { now, write: unused, poll: unused, read: unused, processors: unused, start_helper: unused };
  const { exports } = await WebAssembly.instantiate(module, { host, env: { memory: heap } });
  // Thread-local memory at the end, the stack below it.
  const local = (address + length - exports.__tls_size.value) & -Math.max(exports.__tls_align.value, 16);
  exports.__stack_pointer.value = local;
  exports.__wasm_init_tls(local);
  exports.help();
}

/**
 * Makes an engine of a compiled module. `onText` gets replies, one or more lines at a time. Lines come
 * through shared `memory` if given, else through `push` and `end`. A module with threads has a shared `heap`;
 * `onHelper` is to start a worker that calls `help` with what it gets.
 */
export async function instantiate(module, { memory, heap, processors, onText, onHelper }) {
  const inbox = memory ? new MailboxReader(memory) : new MessageQueue();
  const decoder = new TextDecoder();
  let arrived = new Uint8Array(0);
  const announce = (bytes) => {
    arrived = bytes ?? arrived;
    return bytes?.length ?? -1;
  };
  const poll = memory
    ? (milliseconds) => announce(inbox.read(milliseconds))
    : async (milliseconds) => announce(await inbox.read(milliseconds));
  const bytesAt = (address, length) => new Uint8Array((heap ?? exports.memory).buffer, address >>> 0, length);
  const host = {
    now,
    // Copied, as shared memory cannot be decoded.
    write: (address, length) => onText(decoder.decode(bytesAt(address, length).slice())),
    poll: memory ? poll : new WebAssembly.Suspending(poll),
    read: (address) => bytesAt(address, arrived.length).set(arrived),
    processors: () => processors,
    start_helper: (address, length) => onHelper({ address, length }),
  };
  const { exports } = await WebAssembly.instantiate(module, { host, env: { memory: heap } });
  if (!exports.begin()) throw new Error("not enough memory");
  const run = memory ? exports.run : WebAssembly.promising(exports.run);
  return { push: (bytes) => inbox.push(bytes), end: () => inbox.end(), run, close: () => inbox.close?.() };
}
