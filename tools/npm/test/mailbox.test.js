import assert from "node:assert/strict";
import { test } from "node:test";

const source = new URL("./node_modules/ratlla/src/mailbox.js", import.meta.url);
const { MailboxReader, MailboxWriter } = await import(source);
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (string) => new TextEncoder().encode(string);

test("only complete lines are read, in order, over many turns of the ring", () => {
  const writer = new MailboxWriter();
  const reader = new MailboxReader(writer.memory);
  writer.write(bytes("a\nb"));
  assert.equal(text(reader.read(0)), "a\n");
  assert.equal(text(reader.read(0)), "");
  writer.write(bytes("c\n"));
  assert.equal(text(reader.read(0)), "bc\n");
  for (let round = 0; round < 200; round += 1) {
    const line = `${round} ${"x".repeat((round * 7919) % 1500)}\n`;
    writer.write(bytes(line));
    assert.equal(text(reader.read(0)), line);
  }
});

test("what finds no room is written later", async () => {
  const writer = new MailboxWriter();
  const reader = new MailboxReader(writer.memory);
  const line = `${"ü".repeat(100_000)}\n`;
  writer.write(bytes(line));
  writer.end();
  let received = "";
  for (let next = reader.read(0); next !== null; next = reader.read(0)) {
    received += text(next);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(received, line);
});

test("waiting ends when something is written, or the time is up", () => {
  const writer = new MailboxWriter();
  const reader = new MailboxReader(writer.memory);
  assert.equal(reader.read(10).length, 0);
  writer.write(bytes("x\n"));
  assert.equal(text(reader.read(60_000)), "x\n");
});
