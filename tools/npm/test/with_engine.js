import { Engine } from "ratlla";

/** Runs `work` with an engine, which it ends. */
export async function withEngine(work) {
  const engine = new Engine();
  try {
    await work(engine);
  } finally {
    engine.end();
  }
}
