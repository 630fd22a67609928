//! Parsing and replaying what `explain` prints. Every sentence must be one that is known here, and
//! true.

use std::collections::BTreeMap;

/// A game with naive rules.
pub trait NaiveGame: Clone {
    /// How many random moves to play at most.
    fn longest(&self) -> usize;
    /// The player to move: 1 or 2.
    fn mover(&self) -> u8;
    /// The legal moves; none if the game is over.
    fn moves(&self) -> Vec<String>;
    /// The position after a legal move.
    fn after(&self, mv: &str) -> Self;
    /// The winner of a finished game, 0 for a draw.
    fn result(&self) -> Option<u8>;
    /// The lead in the end for the mover, with best play, if this is quickly found.
    fn margin(&self) -> Option<i32> {
        None
    }
    /// Whether the sides move in turn from here on.
    fn alternates(&self) -> bool;
    /// How many plies a claimed win or loss may have for a full search of them to be quick.
    fn provable(&self) -> usize;
    /// Who wins, 0 for a draw, and in how many plies, by other means, if there are any.
    fn solved(&self) -> Option<(u8, usize)> {
        None
    }
    /// Checks a sentence about `mv` that only this game has, given the cells if they are told.
    /// False if there is no such sentence.
    fn check(&self, mv: &str, kind: &str, cells: Option<&[&str]>, sentence: &str) -> bool;
    /// The owner of a cell, where cells have one.
    fn owner(&self, cell: &str) -> u8;
}

/// A score of a `reason` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    None,
    Points(i32),
    Win(usize),
    Loss(usize),
    Draw,
    Margin(i32),
}

impl Score {
    fn parse<'a>(word: &mut dyn FnMut() -> &'a str) -> Score {
        match word() {
            "none" => Score::None,
            "draw" => Score::Draw,
            "cp" => Score::Points(word().parse().expect("points")),
            "win" => Score::Win(word().parse().expect("plies")),
            "loss" => Score::Loss(word().parse().expect("plies")),
            "margin" => Score::Margin(word().parse().expect("seeds")),
            other => panic!("score {other}"),
        }
    }

    /// Win, draw or loss, as a sign, if it is proved.
    fn sign(self) -> Option<i32> {
        match self {
            Score::None | Score::Points(_) => None,
            Score::Win(_) => Some(1),
            Score::Loss(_) => Some(-1),
            Score::Draw => Some(0),
            Score::Margin(margin) => Some(margin.signum()),
        }
    }

    /// A number that is greater for better scores; none if there is no score.
    fn rank(self) -> Option<i64> {
        match self {
            Score::None => None,
            Score::Points(points) => Some(points.into()),
            Score::Win(plies) => Some(1_000_000 - plies as i64),
            Score::Loss(plies) => Some(plies as i64 - 1_000_000),
            Score::Draw => Some(0),
            Score::Margin(margin) => Some(100 * i64::from(margin)),
        }
    }

    fn is_lost(self) -> bool {
        matches!(self, Score::Loss(_)) || matches!(self, Score::Margin(margin) if margin < 0)
    }
}

/// A `reason` line.
struct Line<'a> {
    mv: &'a str,
    score: Score,
    kind: &'a str,
    cells: Vec<&'a str>,
    sentences: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn parse(text: &'a str) -> Line<'a> {
        let end = text.find(|c: char| c.is_ascii_uppercase()).expect("a sentence");
        let mut words = text[..end].split_whitespace();
        let mut word = || words.next().expect("a word");
        let mv = word();
        let score = Score::parse(&mut word);
        let kind = word();
        let cells: Vec<&str> = words.collect();
        let cells = match cells.split_first() {
            None => Vec::new(),
            Some((&"cells", cells)) if !cells.is_empty() => cells.to_vec(),
            _ => panic!("{text}"),
        };
        let sentences = text[end..].strip_suffix('.').expect("a full stop").split(". ").collect();
        Line { mv, score, kind, cells, sentences }
    }
}

/// How often each kind came first.
#[derive(Debug, Default)]
pub struct Report {
    pub kinds: BTreeMap<String, usize>,
    pub sentences: usize,
}

impl Report {
    pub fn add(&mut self, other: Report) {
        other.kinds.into_iter().for_each(|(kind, n)| *self.kinds.entry(kind).or_default() += n);
        self.sentences += other.sentences;
    }
}

/// Checks the reasons of one position.
pub struct Checker<'a, N> {
    position: &'a N,
    lines: Vec<Line<'a>>,
    context: &'a str,
}

impl<'a, N: NaiveGame> Checker<'a, N> {
    pub fn new(position: &'a N, reasons: &[&'a str], context: &'a str) -> Checker<'a, N> {
        let lines = reasons.iter().map(|reason| Line::parse(reason)).collect();
        Checker { position, lines, context }
    }

    /// Whether a move wins by a reason that needs no search.
    pub fn wins_by_rules(&self) -> bool {
        let is_proof = |line: &Line<'_>| ["fork", "zugzwang", "forces"].contains(&line.kind);
        self.lines.iter().any(|line| line.score.sign() == Some(1) && is_proof(line))
    }

    pub fn check(&self, report: &mut Report) {
        let mut told: Vec<&str> = self.lines.iter().map(|line| line.mv).collect();
        let mut legal = self.position.moves();
        told.sort_unstable();
        legal.sort_unstable();
        assert_eq!(told, legal, "{}", self.context);
        for line in &self.lines {
            let context = format!("{} in {}", line.mv, self.context);
            self.check_score(line, &context);
            for (index, sentence) in line.sentences.iter().enumerate() {
                let first = index == 0;
                let known = self.check_sentence(line, sentence, first, &context)
                    || self.position.check(
                        line.mv,
                        if first { line.kind } else { "" },
                        first.then_some(&line.cells[..]),
                        sentence,
                    );
                assert!(known, "false or unknown: '{sentence}', {context}");
                report.sentences += 1;
            }
            if ["fork", "zugzwang", "forces"].contains(&line.kind) {
                assert_eq!(line.score.sign(), Some(1), "{context}");
            }
            // The only good move says so, unless it is lost or the only one at all.
            let is_worse = |other: &Line<'_>| other.score.sign() < line.score.sign();
            let others = || self.lines.iter().filter(|other| other.mv != line.mv);
            if self.lines.len() > 1
                && line.score.sign() >= Some(0)
                && others().all(|other| other.score.sign().is_some() && is_worse(other))
            {
                let says = |sentence: &&str| sentence.starts_with("Every other move ");
                assert!(line.sentences.iter().any(says), "{context}");
            }
            *report.kinds.entry(line.kind.to_owned()).or_default() += 1;
        }
    }

    /// A proved score holds.
    fn check_score(&self, line: &Line<'_>, context: &str) {
        let me = self.position.mover();
        let after = self.position.after(line.mv);
        let solved = after.result().is_none().then(|| after.solved()).flatten();
        match line.score {
            Score::None | Score::Points(_) => {}
            Score::Win(plies) => {
                if plies <= self.position.provable() {
                    assert!(wins_within(&after, me, plies - 1), "{context}");
                } else if let Some((winner, distance)) = solved {
                    assert!(winner == me && distance < plies, "{context}");
                }
            }
            Score::Loss(plies) => {
                if plies <= self.position.provable() {
                    assert!(wins_within(&after, 3 - me, plies - 1), "{context}");
                } else if let Some((winner, distance)) = solved {
                    assert!(winner == 3 - me && distance < plies, "{context}");
                }
            }
            Score::Draw => {
                assert!(solved.is_none_or(|(winner, _)| winner == 0), "{context}");
                assert!(after.result().is_none_or(|winner| winner == 0), "{context}");
            }
            Score::Margin(margin) => {
                let sign = if after.mover() == me { 1 } else { -1 };
                if let Some(exact) = after.margin() {
                    assert_eq!(margin, sign * exact, "{context}");
                }
            }
        }
    }

    /// Checks a sentence that all games share; false if it is none of these, or untrue.
    fn check_sentence(&self, line: &Line<'_>, sentence: &str, first: bool, context: &str) -> bool {
        let (position, score) = (self.position, line.score);
        let me = position.mover();
        let after = position.after(line.mv);
        let kind_is = |kind: &str| assert!(!first || line.kind == kind, "{context}");
        let others = || self.lines.iter().filter(|other| other.mv != line.mv);
        if let Some(lines) = sentence.strip_prefix("Wins at once by completing ") {
            kind_is("line");
            let named = completed(lines);
            return after.result() == Some(me)
                && named == line.cells
                && named.iter().all(|cell| after.owner(cell) == me);
        }
        if sentence.starts_with("Wins at once (") {
            kind_is("ends");
            return after.result() == Some(me);
        }
        if sentence.starts_with("Ends the game, and the opponent wins (") {
            kind_is("ends");
            return after.result() == Some(3 - me);
        }
        if sentence.starts_with("Ends the game in a draw (") {
            kind_is("ends");
            return after.result() == Some(0);
        }
        if let Some(rest) = sentence.strip_prefix("Lets the opponent win at once with ") {
            kind_is("allows");
            let (moves, cells) = match rest.split_once(", completing ") {
                Some((moves, lines)) => (moves, completed(lines)),
                None => (rest, Vec::new()),
            };
            let mut end = after.clone();
            for mv in moves.split(", then ") {
                if end.mover() == me || !end.moves().iter().any(|legal| legal == mv) {
                    return false;
                }
                end = end.after(mv);
            }
            return end.result() == Some(3 - me)
                && (!first || cells == line.cells)
                && cells.iter().all(|cell| end.owner(cell) == 3 - me);
        }
        if let Some(rest) = sentence.strip_prefix("Forces the win: ") {
            kind_is("forces");
            return is_forced(position, line.mv, rest.split(';').next().expect("a line"));
        }
        for (start, end, mine, best) in [
            ("Gives away the win: ", " keeps it", 0, 1),
            ("Turns a win into a loss: ", " still wins", -1, 1),
            ("Gives away the draw: ", " keeps it", -1, 0),
        ] {
            if let Some(rest) = sentence.strip_prefix(start) {
                kind_is("spoils");
                let named = rest.strip_suffix(end).expect("the same words");
                let sign = |mv: &str| {
                    self.lines.iter().find(|line| line.mv == mv).and_then(|line| line.score.sign())
                };
                return sign(line.mv) == Some(mine) && sign(named) == Some(best);
            }
        }
        match sentence {
            "Every other move loses" => {
                kind_is("only");
                return !score.is_lost() && others().all(|other| other.score.is_lost());
            }
            "Every other move gives away the win" => {
                kind_is("keeps");
                let is_worse = |other: &Line<'_>| other.score.sign().is_some_and(|sign| sign < 1);
                return score.sign() == Some(1) && others().all(is_worse);
            }
            "This is the only legal move" => {
                kind_is("only");
                return position.moves().len() == 1;
            }
            "Every move loses" => {
                kind_is("loses");
                return self.lines.iter().all(|line| line.score.is_lost());
            }
            "If both sides play their best, the game is a draw" => {
                kind_is("draws");
                return matches!(score, Score::Draw | Score::Margin(0));
            }
            "The search was too short to judge it" => {
                kind_is("judged");
                let [first, highest] = [
                    self.lines[0].score.rank(),
                    self.lines.iter().filter_map(|line| line.score.rank()).max(),
                ];
                return score.sign().is_none() && (score == Score::None || first < highest);
            }
            _ => {}
        }
        let within = |plies: usize, whose: &str| match (position.alternates(), plies.div_ceil(2)) {
            (true, 1) => format!("with {whose} next move"),
            (true, moves) => format!("within {whose} next {moves} moves"),
            (false, _) => format!("within the next {plies} moves, counting both sides"),
        };
        let expected = match score {
            Score::Win(plies) => format!("You can win {}", within(plies, "your")),
            Score::Loss(plies) => format!("The opponent can win {}", within(plies, "their")),
            Score::Margin(margin) if margin > 0 => {
                format!("If both sides play their best, you win by {margin}")
            }
            Score::Margin(margin) => {
                format!("If both sides play their best, you lose by {}", -margin)
            }
            Score::Points(_) => {
                let scores: Vec<(&str, Score)> =
                    self.lines.iter().map(|line| (line.mv, line.score)).collect();
                return judges(sentence, line.mv, &scores);
            }
            _ => return false,
        };
        sentence == expected
    }
}

/// Whether a sentence says how a search judges a move, given the scores of all moves, best first.
fn judges(sentence: &str, mv: &str, scores: &[(&str, Score)]) -> bool {
    let own = scores.iter().find(|&&(other, _)| other == mv);
    let search = match own.is_some_and(|&(_, score)| score.sign().is_some()) {
        true => sentence.strip_prefix("A "),
        false => sentence.strip_prefix("The result is not proved, but a "),
    };
    let rank = |&(_, score): &(&str, Score)| score.rank();
    let highest = scores.iter().map(rank).max().flatten();
    let best: Vec<&str> =
        scores.iter().filter(|move_score| rank(move_score) == highest).map(|&(mv, _)| mv).collect();
    if best[0] != scores[0].0 {
        return false;
    }
    let thinks = match (best.contains(&mv), best[0] == mv, best.len()) {
        (false, ..) => format!("prefers {}", best[0]),
        (true, false, _) => format!("rates {} just as high", best[0]),
        (true, true, 1) => "ranks it first".to_owned(),
        (true, true, _) => "rates no move higher".to_owned(),
    };
    let search = search.and_then(|rest| rest.strip_suffix(&format!(" {thinks}")));
    search.is_some_and(|search| match search.strip_prefix("search ") {
        None => search == "first look",
        Some(depth) => counted(depth.strip_suffix(" deep").expect("a depth"), "move") > 0,
    })
}

/// Checks a `refutation` line: its moves are legal, a line to the end ends as the score says, and the
/// first sentence fits the scores, which `explain` has proved elsewhere. A search is too short to judge a
/// move that it has scored only if it has few `nodes`, or if it prefers another move although one
/// `wins_by_rules`.
pub fn check_refutation<N: NaiveGame>(
    position: &N,
    asked: &str,
    best: &str,
    nodes: u64,
    wins_by_rules: bool,
    text: &str,
    context: &str,
) {
    let end = text.find(|c: char| c.is_ascii_uppercase()).expect("a sentence");
    let mut words = text[..end].split_whitespace();
    let mut word = || words.next().expect("a word");
    assert_eq!(word(), asked, "{context}");
    let score = Score::parse(&mut word);
    assert_eq!([word(), word()], ["best", best], "{context}");
    let best_score = Score::parse(&mut word);
    assert_eq!([word(), word()], ["line", asked], "{context}");
    let me = position.mover();
    let mut here = position.after(asked);
    let reply = words.clone().next().filter(|_| here.mover() != me);
    let mut length = 1;
    for mv in words {
        assert!(here.moves().iter().any(|legal| legal == mv), "{mv} in {context}");
        here = here.after(mv);
        length += 1;
    }
    match score {
        Score::Win(plies) if length == plies => assert_eq!(here.result(), Some(me), "{context}"),
        Score::Loss(plies) if length == plies => {
            assert_eq!(here.result(), Some(3 - me), "{context}");
        }
        _ => {}
    }
    let no_win = format!("No win is proved here, but {best} wins.");
    let sooner = format!("Loses sooner than {best}.");
    let is_sooner = text[end..].contains(&sooner);
    let expected = match (score.sign(), best_score.sign()) {
        (Some(1), _) => "Keeps the win.",
        (None, Some(1)) => &no_win,
        (None, _) | (_, None) => {
            let judgement = text[end..].split('.').next().expect("a sentence");
            let known = match judgement == "The search was too short to judge it" {
                // Of the scores only two are printed.
                true => {
                    [score, best_score].contains(&Score::None)
                        || nodes <= 200
                        || (wins_by_rules && best_score.sign() != Some(1))
                }
                false if asked == best => ["ranks it first", "rates no move higher"]
                    .iter()
                    .any(|thinks| judgement.ends_with(thinks)),
                false => judges(judgement, asked, &[(best, best_score), (asked, score)]),
            };
            assert!(known, "{judgement}: {context}");
            judgement
        }
        (Some(0), Some(1)) => "Gives away the win.",
        (Some(0), _) => "Keeps the draw.",
        (_, Some(1)) => "Turns a win into a loss.",
        (_, Some(0)) => "Gives away the draw.",
        _ if score == best_score => "No better move is known.",
        _ if is_sooner => &sooner,
        // Which one loses sooner is not known, or by how much is what matters.
        _ => "",
    };
    let sentence = &text[end..];
    assert!(sentence.starts_with(expected), "{expected}: {context}");
    assert_eq!(sentence.contains("No better move"), expected.starts_with("No better"), "{context}");
    if let (true, Score::Loss(plies)) = (is_sooner, score)
        && plies <= position.provable()
    {
        assert!(!wins_within(&position.after(best), 3 - me, plies - 1), "{context}");
    }
    let worse = match (score, best_score) {
        (Score::Margin(margin), Score::Margin(best)) if margin < best => Some(best - margin),
        _ => None,
    };
    let cost = worse.map(|worse| format!("The final result is {worse} worse than "));
    assert_eq!(sentence.contains(" worse than "), cost.is_some(), "{context}");
    assert!(cost.is_none_or(|cost| sentence.contains(&cost)), "{context}");
    // The answer comes last: what is said before it is about the move asked for.
    let answer = reply.map(|reply| format!(" The opponent answers {reply}."));
    let decides = ["Lets the opponent win at once", "Lets the opponent play"]
        .iter()
        .any(|start| sentence.contains(start));
    match answer.filter(|_| !decides) {
        Some(answer) => assert!(sentence.ends_with(&answer), "{context}"),
        None => assert!(!sentence.contains("The opponent answers"), "{context}"),
    }
}

/// Whether every reply in the line `a (b), c (d), then e wins` is forced, and `e` wins.
fn is_forced<N: NaiveGame>(position: &N, mv: &str, line: &str) -> bool {
    let (pairs, last) = line.split_once(", then ").expect("a last move");
    let last = last.strip_suffix(" wins").expect("a winning move");
    let me = position.mover();
    let mut here = position.clone();
    for (index, pair) in pairs.split(", ").enumerate() {
        let (own, reply) = pair.split_once(" (").expect("a reply");
        let reply = reply.strip_suffix(')').expect("a bracket");
        if (index == 0 && own != mv) || here.mover() != me {
            return false;
        }
        here = here.after(own);
        let replies = here.moves();
        let holds = |other: &&String| *other != reply && !wins_within(&here.after(other), me, 1);
        if here.mover() == me
            || !replies.iter().any(|r| r == reply)
            || replies.iter().any(|r| holds(&r))
        {
            return false;
        }
        here = here.after(reply);
    }
    here.moves().iter().any(|legal| legal == last) && here.after(last).result() == Some(me)
}

/// Whether `side` can force a win within `plies`.
pub fn wins_within<N: NaiveGame>(position: &N, side: u8, plies: usize) -> bool {
    match position.result() {
        Some(winner) => winner == side,
        None if plies == 0 => false,
        None => {
            let moves = position.moves();
            let wins = |mv: &String| wins_within(&position.after(mv), side, plies - 1);
            if position.mover() == side { moves.iter().any(wins) } else { moves.iter().all(wins) }
        }
    }
}

/// The number that counts `noun` in "3 lines", "1 line" or "no line".
pub fn counted(text: &str, noun: &str) -> usize {
    let (number, word) = text.split_once(' ').expect("a number and a word");
    let number = if number == "no" { 0 } else { number.parse().expect("a number") };
    let plural = if number > 1 { "s" } else { "" };
    assert_eq!(word, format!("{noun}{plural}"));
    number
}

/// Checks "At b2 it is part of 3 lines still open to you and blocks 1 of the opponent's", for a
/// piece that goes to `place`. `owner` says who is where on the board with these columns and rows.
pub fn check_lines(
    sentence: &str,
    (columns, rows): (usize, usize),
    length: usize,
    place: (usize, usize),
    me: u8,
    owner: impl Fn(usize, usize) -> u8,
) -> bool {
    let Some(rest) = sentence.strip_prefix("At ") else { return false };
    let (_, rest) = rest.split_once(" it is part of ").expect("the same words");
    let (own, closed) = rest.split_once(" still open to you and blocks ").expect("two numbers");
    let closed = closed.strip_suffix(" of the opponent's").expect("the same words");
    let closed = if closed == "none" { 0 } else { closed.parse().expect("a number") };
    let count = |opponent: u8| {
        let mut count = 0;
        for column in 0..columns as isize {
            for row in 0..rows as isize {
                for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let cells: Vec<(isize, isize)> =
                        (0..length as isize).map(|k| (column + k * right, row + k * up)).collect();
                    let inside = |&(c, r): &(isize, isize)| {
                        (0..columns as isize).contains(&c) && (0..rows as isize).contains(&r)
                    };
                    let through = cells.contains(&(place.0 as isize, place.1 as isize));
                    let open =
                        || cells.iter().all(|&(c, r)| owner(c as usize, r as usize) != opponent);
                    count += usize::from(through && cells.iter().all(inside) && open());
                }
            }
        }
        count
    };
    counted(own, "line") == count(3 - me) && closed == count(me)
}

/// The cells that a sentence lists with this conjunction before the last one.
pub fn listed<'a>(text: &'a str, conjunction: &str) -> Vec<&'a str> {
    let (first, last) = match text.split_once(&format!(" {conjunction} ")) {
        Some((first, last)) => (first.split(", ").collect(), last),
        None => (Vec::new(), text),
    };
    [first, vec![last]].concat()
}

/// The cells of "the line …", which must be one, or of "more than one line: …", which must not.
fn completed(text: &str) -> Vec<&str> {
    let (cells, is_one) = match text.strip_prefix("the line ") {
        Some(cells) => (cells, true),
        None => (text.strip_prefix("more than one line: ").expect("lines"), false),
    };
    let cells = listed(cells, "and");
    let place = |cell: &str| {
        let row: i32 = cell[1..].parse().expect("a row");
        [i32::from(cell.as_bytes()[0]), row]
    };
    let [first, last] = [cells[0], cells[cells.len() - 1]].map(place);
    let [columns, rows] = [last[0] - first[0], last[1] - first[1]];
    let is_between = |cell: &&str| {
        let [column, row] = place(cell);
        (column - first[0]) * rows == (row - first[1]) * columns
    };
    assert_eq!(cells.iter().all(is_between), is_one, "{text}");
    cells
}
