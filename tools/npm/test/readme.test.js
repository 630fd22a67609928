// The examples of the README print what it says.

import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { inspect } from "node:util";

const readme = await readFile(new URL("./node_modules/ratlla/README.md", import.meta.url), "utf8");

/** What is printed, as `console.log` shows it. */
const printed = (...values) => values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ");

test("the examples print what their comments say", async () => {
  const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  let checked = 0;
  globalThis.checkPrinted = (expected, ...values) => {
    assert.equal(printed(...values), expected);
    checked += 1;
  };
  for (const [number, code] of examples.entries()) {
    const check = (_, values, expected) => `checkPrinted(${JSON.stringify(expected)}, ${values});`;
    const file = new URL(`./example${number}.js`, import.meta.url);
    await writeFile(file, code.replace(/console\.log\((.*)\); \/\/ (.*)$/gm, check));
    await import(file);
    await rm(file);
  }
  const comments = examples.join("").match(/\/\/ /g).length;
  assert.ok(checked >= 3);
  assert.equal(checked, comments, "every comment is checked");
});
