// Connect Four on boards of any size.

import { GravityView } from "./gravity.js";

export class ConnectFour extends GravityView {
  constructor(root, play) {
    super(root, play, "gravity connect4");
  }
}
