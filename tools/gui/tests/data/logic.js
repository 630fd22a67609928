// The page's own logic, without its views: links, trees, scores, marks, puzzles, replies and words. Returns
// what was wrong, one text for each; nothing if all laws hold.
(async () => {
  const load = (name) => import(new URL(name, location.href));
  const { GameRecord } = await load("game-record.js");
  const { GameTree } = await load("game-tree.js");
  const score = await load("score.js");
  const { bestOf, judge } = await load("review.js");
  const { puzzleIn, winners } = await load("puzzles.js");
  const protocol = await load("protocol.js");
  const { hasText, needsValue, t } = await load("i18n.js");
  const { levelElo, levelName } = await load("levels.js");
  const { friendly } = await load("errors.js");
  const { EngineError } = await load("engine.js");

  const wrong = [];
  const same = (what, found, expected) => {
    const [left, right] = [found, expected].map((value) => JSON.stringify(value) ?? "undefined");
    if (left !== right) wrong.push(`${what}: got ${left}, expected ${right}`);
  };
  const throws = (what, action) => {
    try {
      action();
    } catch {
      return;
    }
    wrong.push(`${what}: not refused`);
  };

  // A link leads to the ply that it was made at, whatever its form; what is beyond the game is its end.
  for (const [game, setup, moves] of [
    ["connect4 6 7 4", "", ["4", "4", "3"]],
    ["connect4 40 40 5", "", ["34", "35", "40"]],
    ["connect4 40 40 5", "", ["34", "1"]],
    ["kalah 6 4 empty", "", ["3", "6"]],
    ["boom", "", ["4", "boom"]],
    ["wali 5 6 12", "", ["b2", "a1b1xc4"]],
    ["connect4 6 7 4", "fen 7/7/7/7/7/3p3 w - - 0 1", ["4"]],
    ["nim 7", "", ["1", "2"]],
    ["nim 7", "", []],
  ]) {
    const record = new GameRecord(game, setup, moves);
    const all = moves.length;
    for (let ply = 0; ply <= all; ply += 1) {
      for (const resigned of [null, "p1", "p2"]) {
        record.resigned = resigned;
        const link = record.fragment(ply);
        const again = GameRecord.fromFragment(link);
        const what = `${link} of ${game} at ${ply}`;
        same(what, [again.game, again.setup, again.moves, again.ply], [game, setup, moves, ply]);
        // Only the end of a game can have been resigned.
        same(`${what}, resigned`, again.resigned, ply === all ? resigned : null);
        same(`${what}, at its end`, again.atEnd, ply === all);
        const part = new GameRecord(game, setup, moves, ply);
        same(`${what}, of itself`, part.fragment(), Object.assign(record, { resigned: null }).fragment(ply));
        same(`${what}, position`, part.position(), record.position(ply));
        same(`${what}, key`, part.key(), record.key(ply));
        const longer = part.continued("9", "8");
        same(`${what}, continued`, [longer.game, longer.setup, longer.moves], [game, setup, [...moves.slice(0, ply), "9", "8"]]);
      }
    }
    for (let ply = 0; ply <= all; ply += 1) {
      const played = ply ? ` moves ${moves.slice(0, ply).join(" ")}` : "";
      same(`the position of ${game} at ${ply}`, new GameRecord(game, setup, moves, ply).position(), `position ${setup || "startpos"}${played}`);
    }
    same("a ply beyond", [new GameRecord(game, setup, moves, all + 1).ply, new GameRecord(game, setup, moves, -1).ply], [all, 0]);
    same("text", new GameRecord(game, setup, moves, 0).text().split("\n")[1], record.position(all));
  }
  for (const [link, ply, resigned] of [
    ["#c4:444@0", 0, null],
    ["#c4:444@2", 2, null],
    ["#c4:444@3", 3, null],
    ["#c4:444@9", 3, null],
    ["#c4:444@2!p1", 2, null],
    ["#c4:444!p2", 3, "p2"],
    ["#game=connect4&moves=4+4&ply=1", 1, null],
    ["#game=connect4&moves=4+4&ply=1&resigned=p1", 1, null],
    ["#game=connect4&moves=4+4&ply=9&resigned=p1", 2, "p1"],
    ["#game=connect4&moves=4+4&ply=-1", 0, null],
    ["#game=connect4&moves=4+4&ply=x", 0, null],
    ["#game=connect4&moves=4+4&resigned=p3", 2, null],
    ["#c4%3A444%402", 2, null],
    ["?pos=444".slice(1), 3, null],
  ]) {
    const record = GameRecord.fromFragment(link);
    same(link, [record?.game, record?.ply, record?.resigned], ["connect4 6 7 4", ply, resigned]);
  }
  for (const link of ["", "#", "#c5:44", "#c4:4;4", "#c4:44@-1", "#c4:44@x", "#c4:44!p3", "#pos=48", "#game=a;b", "#game=a&moves=%0A<b>"]) {
    same(link, GameRecord.fromFragment(link), null);
  }
  const short = (game, ...moves) => new GameRecord(game, "", moves).fragment();
  same("the largest digits", short("connect4 40 40 5", "10", "34"), "#c4-40x40x5:ay");
  same("beyond them", short("connect4 40 40 5", "35"), "#game=connect4+40+40+5&moves=35");
  const word = (length) => () => GameRecord.fromText(`newgame nim\nposition moves ${"x".repeat(length)}`, "boom");
  same("a long word", word(100)()[0].moves[0].length, 100);
  throws("a longer word", word(101));
  same("resigned", GameRecord.fromText("newgame boom\nposition moves 4\n# p2 resigned", "nim")[0].resigned, "p2");
  same("digits", GameRecord.fromText("44", "nim").map(({ moves }) => moves), [["44"], ["4", "4"]]);
  same("a digit", GameRecord.fromText("4", "nim").map(({ moves }) => moves), [["4"]]);

  // A tree keeps every move that was played; the line on the board is the one visited last.
  const tree = GameTree.fromRecord(new GameRecord("boom", "", ["1", "2", "3"]));
  const line = () => [tree.record.moves.join(""), tree.record.ply];
  same("a line", line(), ["123", 3]);
  const before = tree.version;
  tree.goToPly(1);
  same("back", line(), ["123", 1]);
  tree.play("2");
  same("a known move", [...line(), tree.version], ["123", 2, before]);
  tree.goToPly(1);
  tree.play("4");
  same("a variation", [...line(), tree.version], ["14", 2, before + 1]);
  tree.goToPly(1);
  same("the line visited last", line(), ["14", 1]);
  const first = tree.root.children[0];
  same("both moves", first.children.map(({ move }) => move), ["2", "4"]);
  tree.goTo(first.children[0]);
  same("the other line", line(), ["123", 2]);
  tree.goToPly(99);
  same("its end", line(), ["123", 3]);
  tree.goToPly(-9);
  same("its start", line(), ["123", 0]);
  tree.goToPly(2);
  same("before its end", line(), ["123", 2]);
  tree.endLine();
  same("a line that ends", line(), ["12", 2]);
  same("is kept", tree.find(first.children[0].children[0].id)?.move, "3");
  same("an unknown node", tree.find(-1), undefined);
  tree.resign("p1");
  same("resigned", [tree.record.resigned, tree.version], ["p1", before + 2]);
  tree.goToPly(1);
  same("before that", tree.record.resigned, null);
  const stored = JSON.parse(JSON.stringify(tree));
  const again = GameTree.fromJSON(stored);
  same("a stored tree", JSON.parse(JSON.stringify(again)), stored);
  same("where it was", [again.current.ply, again.id], [1, tree.id]);
  const third = again.root.children[0].children;
  same("what is in it", third.map(({ move, resigned, children }) => [move, resigned, children.length]), [["2", "p1", 1], ["4", null, 0]]);
  for (const bad of [null, {}, { game: "boom" }, { ...stored, moves: [["1", 7]] }, { ...stored, moves: 5 }]) {
    same(`a broken tree ${JSON.stringify(bad)?.slice(0, 20)}`, GameTree.fromJSON(bad), null);
  }
  same("a lost place", GameTree.fromJSON({ ...stored, current: 99 }).current.ply, 0);
  // A game that is resigned ends there, though moves were tried after it.
  const given = GameTree.fromRecord(new GameRecord("boom", "", ["1", "2", "3"], 2));
  same("where a record was", [given.current.ply, given.record.moves.length], [2, 3]);
  given.resign("p2");
  same("a line that was given up", [given.record.moves.join(""), given.record.resigned], ["12", "p2"]);
  const copy = GameTree.fromRecord(given.record);
  same("its copy", [copy.record.moves.join(""), copy.record.resigned], ["12", "p2"]);
  given.resign(null);
  same("the line taken up again", [given.record.moves.join(""), given.record.resigned], ["123", null]);
  // Turns are counted by the first player's moves; in some games one plays several in a row.
  const turns = GameTree.fromRecord(new GameRecord("kalah", "", ["1", "2", "3", "4", "5"]));
  const nodes = turns.record.nodes.slice(1);
  for (const [at, side] of ["p1", "p1", "p2", "p2", "p1"].entries()) nodes[at].side = side;
  same("turns", nodes.map(({ number }) => number), ["1.", "1.", "1…", "1…", "2."]);
  const second = GameTree.fromRecord(new GameRecord("kalah", "", ["1", "2"])).record.nodes.slice(1);
  for (const [at, side] of ["p2", "p1"].entries()) second[at].side = side;
  same("turns after the second player's start", second.map(({ number }) => number), ["1…", "2."]);

  // Zero has no sign, however it comes about; everything else has one.
  const short_ = (kind, value, game = "connect4 6 7 4") => score.shortLabel(score.scoreIn(game, { kind, value }));
  for (const value of [0, -0, 1, -1, 4, -4]) same(`cp ${value}`, short_("cp", value), "0.0");
  for (const [kind, value, label] of [
    ["cp", 5, "+0.1"],
    ["cp", -5, "−0.1"],
    ["cp", 100, "+1.0"],
    ["cp", -100, "−1.0"],
    ["margin", 0, "0"],
    ["margin", -0, "0"],
    ["margin", 3, "+3"],
    ["margin", -3, "−3"],
    ["draw", 0, "0"],
    ["win", 0, ""],
    ["loss", 0, ""],
    ["win", 1, "+1"],
    ["win", 2, "+1"],
    ["win", 3, "+2"],
    ["loss", 4, "−2"],
  ]) {
    same(`${kind} ${value}`, short_(kind, value), label);
  }
  same("plies where turns are long", [short_("win", 7, "boom"), short_("loss", 8, "kalah"), short_("win", 7, "wali")], ["+7", "<0", "+4"]);
  same("a large estimate of another game", short_("cp", 9000, "connect4 4 4 4"), "+90.0");
  // The engine's bonus for more than half of the seeds is none of the lead.
  for (const [value, label] of [[4800, "+48.0"], [4801, "−2.0"], [5000, "0.0"], [-4800, "−48.0"], [-4801, "+2.0"], [-5000, "0.0"]]) {
    same(`a lead of ${value}`, short_("cp", value, "kalah 6 4"), label);
    same(`no lead of ${value}`, short_("cp", value), score.shortLabel({ kind: "cp", value }));
  }
  const long = (kind, value, game = "connect4 6 7 4") => score.longLabel(score.scoreIn(game, { kind, value }));
  same("words", [long("draw", 0), long("margin", 0), long("margin", -2), long("win", 0), long("loss", 0)], [t("score.draw"), t("score.draw"), t("score.losesBy", { n: 2 }), t("score.won"), t("score.lost")]);
  same("parsed", [score.parseScore(["cp", "-12"]), score.parseScore(["draw", "nodes"])], [{ kind: "cp", value: -12 }, { kind: "draw", value: 0 }]);

  // From the worst to the best: each is less than the next.
  const ladder = [
    ["loss", 1], ["loss", 2], ["loss", 99], ["margin", -9], ["margin", -1], ["draw", 0],
    ["margin", 1], ["margin", 9], ["win", 99], ["win", 2], ["win", 1],
  ].map(([kind, value]) => ({ kind, value }));
  for (const [at, one] of ladder.entries()) {
    const other = ladder[at + 1];
    if (other && !(score.strength(one) < score.strength(other))) wrong.push(`${JSON.stringify(one)} is not less than ${JSON.stringify(other)}`);
    const sign = { loss: -1, draw: 0, win: 1 }[one.kind] ?? Math.sign(one.value);
    same(`outcome of ${JSON.stringify(one)}`, score.outcome(one), sign);
    same(`tone of ${JSON.stringify(one)}`, score.tone(one), ["bad", "even", "good"][sign + 1]);
    same(`strength of ${JSON.stringify(one)}`, Math.sign(score.strength(one)), sign);
    same(`${JSON.stringify(one)} is exact`, score.isExact(one), true);
  }
  same("the tone of a lead of none", score.tone({ kind: "margin", value: 0 }), "even");
  const estimate = (value) => ({ kind: "cp", value });
  same("an estimate", [score.outcome(estimate(9)), score.tone(estimate(9)), score.isExact(estimate(9))], [null, "open", false]);
  for (const value of [-1e9, -300, 0, 300, 1e9]) {
    const strength = score.strength(estimate(value));
    if (!(strength < score.strength({ kind: "win", value: 500 }) && strength > score.strength({ kind: "loss", value: 500 }))) wrong.push(`cp ${value} is beyond a proof`);
    same(`the side of cp ${value}`, Math.sign(strength), Math.sign(value));
  }
  same("finished", ["p1win", "p2win", "draw"].map((result) => score.finalScore(result, "p1").kind), ["win", "loss", "draw"]);
  same("finished, for the other", ["p1win", "p2win", "draw"].map((result) => score.finalScore(result, "p2").kind), ["loss", "win", "draw"]);

  // Marks are about proved results only.
  const [win, slow, draw, loss, late, open] = [["win", 3], ["win", 9], ["draw", 0], ["loss", 2], ["loss", 8], ["cp", 300]].map(([kind, value]) => ({ kind, value }));
  for (const [scores, mark] of [
    [[win, draw, loss], "!"],
    [[win, win, loss], ""],
    [[win], ""],
    [[slow, win], "?!"],
    [[slow, win, open], ""],
    [[draw, win], "?"],
    [[draw, win, open], "?"],
    [[loss, win], "?"],
    [[loss, draw], "?"],
    [[draw, loss], "!"],
    [[draw, draw, loss], ""],
    [[late, loss], ""],
    [[loss, late], "?!"],
    [[open, loss], ""],
    [[loss, open], ""],
    [[win, open], ""],
  ]) {
    const all = new Map(scores.map((one, at) => [`m${at}`, one]));
    const found = judge(all, "m0");
    same(`mark of ${JSON.stringify(scores)}`, found.mark, mark);
    same("what it is compared with", [found.best, found.after], [bestOf(all)[0], scores[0]]);
  }
  same("a move without a score", judge(new Map([["a", win]]), "b").mark, "");
  same("the best", bestOf(new Map([["a", draw], ["b", win], ["c", slow], ["d", loss]])), ["b", win]);

  // A puzzle has one solution, which is proved, not obvious and not too deep.
  const puzzle = (...scores) => puzzleIn(new Map(scores.map((one, at) => [`m${at}`, one])))?.move ?? null;
  const wins = (value) => ({ kind: "win", value });
  same("depths", [2, 3, 13, 14].map((plies) => puzzle(draw, wins(plies))), [null, "m1", "m1", null]);
  same("a lead", puzzle(draw, { kind: "margin", value: 4 }), "m1");
  same("no puzzles", [puzzle(), puzzle(wins(5)), puzzle(wins(5), wins(7)), puzzle(wins(5), open), puzzle(draw, loss)], [null, null, null, null, null]);
  same("winners", [winners(new Map([["a", win], ["b", draw], ["c", slow]])), winners(new Map([["a", win], ["b", open]])), winners(new Map())], [["a", "c"], null, null]);

  // Replies of an engine, among other lines.
  const info = protocol.parseInfo("info depth 3 multipv 2 score draw nodes 70 pv 4 3 score");
  same("info", [info.depth, info.multipv, info.score, info.nodes, info.pv], [3, 2, { kind: "draw", value: 0 }, 70, ["4", "3", "score"]]);
  const plain = protocol.parseInfo("info nodes 7 score loss 4 nps 9");
  same("plain info", [plain.multipv, plain.score, plain.nps, plain.pv], [1, { kind: "loss", value: 4 }, 9, []]);
  same("no info", [protocol.parseInfo("info string score cp 1"), protocol.parseInfo("bestmove 4")], [null, null]);
  same("analysis", [protocol.parseAnalysis("analysis 4 win 7"), protocol.parseAnalysis("info 4")], [{ move: "4", score: { kind: "win", value: 7 } }, null]);
  same("moves", ["bestmove 4 ponder 3", "bestmove (none)", "bestmoves 4"].map((text) => protocol.parseBestMove([text]) ?? "none"), ["4", "none", "none"]);
  same("the last move", protocol.parseBestMove(["bestmove 1", "bestmove 2"]), "2");
  same("state", protocol.parseState(["x", 'state {"a":1}', "stated"]), { a: 1 });
  throws("no state", () => protocol.parseState(["readyok"]));
  const options = protocol.parseOptions(["option name Own Book type check default true", "option name Hash type spin default 64 min 1 max 65536", "option name S type combo default a var a var b", "options"]);
  same("options", [...options.keys()], ["Own Book", "Hash", "S"]);
  same("a range", [options.get("Hash").min, options.get("Hash").max, options.get("Own Book").min], [1, 65536, undefined]);
  same("values", options.get("S").values, ["a", "b"]);
  const [kalah, boom] = protocol.parseGames(["game kalah parameter houses type spin default 6 min 1 max 12 parameter empty type check default false", "game boom", "gamer"]);
  same("games", [kalah.name, kalah.parameters.map(({ name }) => name), boom, kalah.parameters[0].max], ["kalah", ["houses", "empty"], { name: "boom", parameters: [] }, 12]);

  // Words.
  same("a text without a table", [t("no.such.key"), hasText("no.such.key"), hasText("score.draw")], ["no.such.key", false, true]);
  same("a missing value", t("score.winsBy", {}).includes("{"), false);
  same("plurals", t("score.win", { n: 1 }) === t("score.win", { n: 2 }).replace("2", "1"), false);
  same("placeholders", [needsValue("score.winsBy", "n"), needsValue("score.draw", "n")], [true, false]);
  const usual = "connect4 6 7 4";
  same("ratings", [levelElo(1, usual), levelElo(10, usual), levelElo(10, "connect4"), levelElo(11, usual), levelElo(0, usual), levelElo(1, "boom"), levelElo(1, "connect4 6 7 5")], [600, 2150, 2150, null, null, null, null]);
  same("the highest level", [levelName(10, usual), levelName(10, "boom"), levelName(9, "boom")], [t("level.10"), t("level.strongest"), t("level.9")]);
  const said = (message) => friendly(new EngineError(message));
  same("illegal", said("position: move 3, '9': no"), t("error.illegal", { number: 3, move: "9" }));
  same("unknown", said("unknown game 'chess' (available: x)"), t("error.unknownGame", { game: "chess" }));
  same("a command", said("newgame: rows must be 4..64 (newgame connect4 ROWS)"), "rows must be 4..64");
  same("an error of the page", friendly(new Error("newgame: no")), "newgame: no");
  return wrong;
})();
