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

/**
 * Makes an engine of a compiled module. `onText` gets replies, one or more lines at a time. Lines come
 * through shared `memory` if given, else through `push` and `end`.
 */
export async function instantiate(module, { memory, onText }) {
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
  const bytesAt = (address, length) => new Uint8Array(exports.memory.buffer, address, length);
  const host = {
    now: () => performance.timeOrigin + performance.now(),
    write: (address, length) => onText(decoder.decode(bytesAt(address, length))),
    poll: memory ? poll : new WebAssembly.Suspending(poll),
    read: (address) => bytesAt(address, arrived.length).set(arrived),
  };
  const { exports } = await WebAssembly.instantiate(module, { host });
  if (!exports.begin()) throw new Error("not enough memory");
  const run = memory ? exports.run : WebAssembly.promising(exports.run);
  return { push: (bytes) => inbox.push(bytes), end: () => inbox.end(), run, close: () => inbox.close?.() };
}
