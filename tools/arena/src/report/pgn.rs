//! The games as PGN: the usual tags, moves in the notation of `ratlla`, and a comment after each
//! move of an engine with its score, depth, time and clock.

use super::escape::{pgn_comment, pgn_tag};
use super::replay::Replayer;
use super::{ReportData, score_text};
use crate::engine::forfeit::ForfeitKind;
use crate::record::{GameRecord, GameResult};
use crate::settings::SearchLimits;
use ratlla::game::Side;

/// Lines are wrapped here, as PGN asks.
const WIDTH: usize = 80;

/// All games.
pub fn pgn(data: &ReportData) -> anyhow::Result<String> {
    let mut replayer = Replayer::new(&data.settings.game)?;
    let games = data.games.iter().map(|game| game_text(data, game, &mut replayer));
    Ok(games.collect::<Vec<_>>().join("\n"))
}

fn game_text(data: &ReportData, game: &GameRecord, replayer: &mut Replayer) -> String {
    let result = match game.result {
        GameResult::P1Win => "1-0",
        GameResult::P2Win => "0-1",
        GameResult::Draw => "1/2-1/2",
    };
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        text += &format!("[{name} \"{}\"]\n", pgn_tag(value));
    };
    let [p1, p2] = data.players(game);
    let limits = data
        .settings
        .pairing(game.number)
        .engines
        .map(|engine| &data.settings.engines[engine].limits);
    tag("Event", &format!("ratlla-arena, seed {}", data.settings.seed));
    tag("Site", "?");
    tag("Date", "????.??.??");
    tag("Round", &format!("{}.{}", game.round + 1, game.number % 2 + 1));
    tag("White", p1);
    tag("Black", p2);
    tag("Result", result);
    tag("Variant", &data.settings.game);
    if !game.setup.is_empty() {
        tag("SetUp", "1");
        tag("Position", &game.setup);
    }
    tag("OpeningPlies", &game.opening.len().to_string());
    tag("PlyCount", &(game.opening.len() + game.moves.len()).to_string());
    for (name, limits) in ["WhiteTimeControl", "BlackTimeControl"].into_iter().zip(limits) {
        tag(name, &time_control(limits));
    }
    tag("Termination", termination(game));
    tag("Reason", &game.reason);
    text.push('\n');
    let sides: Vec<Side> = replayer.replay(game).plies.iter().map(|ply| ply.side).collect();
    let mut tokens = move_tokens(game, &sides);
    tokens.extend(ReportData::detail(game).map(|detail| format!("{{{}}}", pgn_comment(detail))));
    tokens.push(result.to_owned());
    text + &wrapped(&tokens)
}

/// A move number before each move, since turns need not alternate, then the move and its comment.
fn move_tokens(game: &GameRecord, sides: &[Side]) -> Vec<String> {
    let mut tokens = Vec::new();
    let (mut number, mut previous) = (0, Side::P2);
    for (at, mv) in game.opening.iter().chain(&game.moves).enumerate() {
        let side = sides.get(at).copied().unwrap_or(!previous);
        if side == Side::P1 && previous == Side::P2 {
            number += 1;
        }
        previous = side;
        let dots = if side == Side::P1 { "." } else { "..." };
        tokens.push(format!("{}{dots}", number.max(1)));
        tokens.push(mv.replace([' ', '{', '}', ';', '(', ')'], "?"));
        if let Some(comment) = at.checked_sub(game.opening.len()).map(|at| comment(game, at)) {
            tokens.push(format!("{{{}}}", pgn_comment(&comment)));
        }
    }
    tokens
}

/// What the engine said of its move, and its time: `+0.34/12 0.105s [%clk 0:00:59.9]`.
fn comment(game: &GameRecord, at: usize) -> String {
    let score = game.scores.get(at).cloned().flatten().map(|score| score_text(&score));
    let depth = game.depths.get(at).copied().flatten().map(|depth| format!("/{depth}"));
    let eval = score.map(|score| score + &depth.unwrap_or_default());
    let time = game.times.get(at).map(|&time| format!("{}.{:03}s", time / 1000, time % 1000));
    let clock = game.clocks.get(at).copied().flatten().map(|left| {
        let (hours, minutes) = (left / 3_600_000, left / 60_000 % 60);
        format!("[%clk {hours}:{minutes:02}:{:02}.{:03}]", left / 1000 % 60, left % 1000)
    });
    eval.into_iter().chain(time).chain(clock).collect::<Vec<_>>().join(" ")
}

/// The value of a PGN time control: `40/60+0.6`, or `-` for none.
fn time_control(limits: &SearchLimits) -> String {
    let seconds = |ms: u64| format!("{}", ms as f64 / 1000.0);
    match (limits.time, limits.movetime) {
        (Some(time), _) => {
            let moves = limits.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
            let increment = limits.inc.filter(|&inc| inc > 0);
            let increment = increment.map(|inc| format!("+{}", seconds(inc))).unwrap_or_default();
            format!("{moves}{}{increment}", seconds(time))
        }
        (None, Some(movetime)) => format!("1/{}", seconds(movetime)),
        (None, None) => "-".to_owned(),
    }
}

/// Why the game ended, in the words of the PGN standard.
fn termination(game: &GameRecord) -> &'static str {
    match &game.forfeit {
        Some(forfeit) if forfeit.kind == ForfeitKind::TimeForfeit => "time forfeit",
        Some(forfeit) if forfeit.kind == ForfeitKind::IllegalMove => "rules infraction",
        Some(_) => "abandoned",
        None if game.adjudication.is_some() => "adjudication",
        None => "normal",
    }
}

fn wrapped(tokens: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in tokens.iter().flat_map(|token| token.split(' ')) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += width;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::example;

    #[test]
    fn a_game_has_tags_numbers_and_comments() {
        let text = pgn(&example()).unwrap();
        let first = text.split("\n\n[").next().unwrap();
        for tag in ["[White \"<b>e0</b> \\\"|\\\"\"]", "[Result \"1-0\"]", "[Round \"1.1\"]"] {
            assert!(first.contains(tag), "{tag} in {first}");
        }
        assert!(first.contains("[WhiteTimeControl \"40/60+0.6\"]"), "{first}");
        assert!(first.contains("1. 1 1... 2 2. 1 {+0.12/3 0.105s [%clk 0:00:59.900]}"), "{first}");
        assert!(first.contains("2... 2 {#-4/9 0.002s}"), "{first}");
        assert!(first.trim_end().ends_with("1-0"));
        assert!(first.lines().skip_while(|line| !line.is_empty()).all(|line| line.len() <= 80));
    }

    #[test]
    fn a_forfeit_is_explained_and_cannot_break_out_of_its_comment() {
        let text = pgn(&example()).unwrap();
        let second = text.split("\n\n[").last().unwrap();
        assert!(second.contains("[Termination \"abandoned\"]"), "{second}");
        assert!(second.contains("{died: () \\u001b[31m} 0-1"), "{second}");
    }

    #[test]
    fn the_termination_is_that_of_the_standard() {
        use crate::record::{AdjudicationKind, AdjudicationRecord, ForfeitRecord};
        let forfeit = |kind: ForfeitKind| GameRecord {
            forfeit: Some(ForfeitRecord {
                engine: String::new(),
                kind,
                detail: String::new(),
                overshoot: None,
            }),
            ..GameRecord::default()
        };
        let adjudication =
            Some(AdjudicationRecord { kind: AdjudicationKind::Draw, detail: String::new() });
        for (game, word) in [
            (GameRecord::default(), "normal"),
            (GameRecord { adjudication, ..GameRecord::default() }, "adjudication"),
            (forfeit(ForfeitKind::TimeForfeit), "time forfeit"),
            (forfeit(ForfeitKind::IllegalMove), "rules infraction"),
            (forfeit(ForfeitKind::Crash), "abandoned"),
        ] {
            assert_eq!(termination(&game), word);
        }
    }

    #[test]
    fn a_line_is_filled_to_its_last_column_and_not_beyond() {
        let wrapped = |lengths: &[usize]| {
            let words: Vec<String> = lengths.iter().map(|&length| "x".repeat(length)).collect();
            let text = wrapped(&words);
            assert_eq!(text.split_whitespace().collect::<Vec<_>>(), words);
            text.lines().map(str::len).collect::<Vec<_>>()
        };
        assert_eq!(wrapped(&[40, 39]), [80]);
        assert_eq!(wrapped(&[40, 40]), [40, 40]);
        // A word that is too long has a line of its own, the first one too.
        assert_eq!(wrapped(&[81, 1]), [81, 1]);
        assert_eq!(wrapped(&[80]), [80]);
    }

    /// In Kalah a player may move again: the numbers say who moves.
    #[test]
    fn extra_turns_are_numbered() {
        let moves = ["3", "1", "1"].map(str::to_owned).to_vec();
        let sides = [Side::P1, Side::P1, Side::P2];
        let game = GameRecord { opening: moves, ..GameRecord::default() };
        assert_eq!(move_tokens(&game, &sides).join(" "), "1. 3 1. 1 1... 1");
    }
}
