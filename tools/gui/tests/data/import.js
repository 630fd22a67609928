// Imports random texts: each is an error with a message, or games that consist of plain lines and read
// back from their own texts and links. Returns the number of games, or what was wrong.
(async () => {
  const { GameRecord } = await import(new URL("game-record.js", location.href));
  const pieces = [
    "newgame", "newgame ", "position ", "startpos ", "moves ", "4 ", "4,4", "44", "b2 ", "e5f5 ", "grid ./. ",
    "\n", "\r\n", "# p1 resigned\n", "#p2 resigned", "connect4 6 7 ", "kalah 6 4 ", "boom", "<b>", "\u0000", "quit\n",
    "p1 ", ";", "é", "\u2028", "x".repeat(101), "-1 ", "fen 7/7 w - ",
  ];
  let state = 1;
  const below = (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % limit;
  };
  let games = 0;
  for (let round = 0; round < 50_000; round++) {
    const text = Array.from({ length: below(9) }, () => pieces[below(pieces.length)]).join("");
    const wrong = (what) => `${JSON.stringify(text)}: ${what}`;
    let records;
    try {
      records = GameRecord.fromText(text, "connect4 6 7");
    } catch (error) {
      if (error.constructor !== Error || error.message.length > 200) return wrong(error);
      continue;
    }
    for (const record of records) {
      games++;
      for (const line of [`newgame ${record.game}`, record.position()]) {
        if (!/^[\x20-\x7e]*$/.test(line)) return wrong(`${JSON.stringify(line)} is not a plain line`);
      }
      const again = GameRecord.fromText(record.text(), "boom")[0];
      if (again.text() !== record.text()) return wrong(`reads back as ${again.text()}`);
      const linked = GameRecord.fromFragment(record.fragment());
      if (linked?.text() !== record.text()) return wrong(`is linked as ${linked?.text()}`);
    }
  }
  return games;
})();
