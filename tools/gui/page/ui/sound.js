// Sounds of the game, made by the browser: a knock when a piece lands, a chord at the end. Off unless
// the user wants them.

import { readSetting, writeSetting } from "./storage.js";

const KEY = "ratlla-sound";
const CHORDS = { win: [523, 659, 784], loss: [392, 330, 262], draw: [440, 440] };

export class Sound {
  on = readSetting(KEY) === true;
  #context = null;
  #heard = "";

  constructor(controller) {
    controller.addEventListener("shown", () => {
      const { record, over, people, result } = controller;
      const key = `${record.key()} ${record.resigned}`;
      if (!this.on || this.#heard === key || !record.ply) return;
      this.#heard = key;
      this.#tone(150, 0, 0.09, "triangle");
      if (!over) return;
      const lost = people.length === 1 && result !== "draw" && result !== `${people[0]}win`;
      const notes = CHORDS[result === "draw" ? "draw" : lost ? "loss" : "win"];
      notes.forEach((pitch, at) => this.#tone(pitch, 0.12 + 0.11 * at, 0.3, "sine"));
    });
  }

  turn(on) {
    this.on = on;
    writeSetting(KEY, on);
    if (on) this.#tone(150, 0, 0.09, "triangle");
  }

  #tone(pitch, delay, length, type) {
    this.#context ??= new AudioContext();
    const begin = this.#context.currentTime + delay;
    const oscillator = new OscillatorNode(this.#context, { type, frequency: pitch });
    const volume = new GainNode(this.#context, { gain: 0 });
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.2, begin + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
    oscillator.connect(volume).connect(this.#context.destination);
    oscillator.start(begin);
    oscillator.stop(begin + length);
  }
}
