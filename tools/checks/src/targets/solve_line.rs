//! Lines of `ratlla solve`: the words of `--game` in the first line, positions in the others.

use ratlla::batch::{self, AnsweredLine, Extras, Question, Scores, SolveOptions, Solved};
use ratlla::game::ExactScore;
use ratlla::games::REGISTRY;
use ratlla::lines::Input;

use super::assert_message;

/// Lines beyond these are ignored.
const MAX_LINES: usize = 8;

/// A line is answered by one line or an error message, and in JSON by the same in one line of JSON.
pub fn check(data: &[u8]) {
    let mut lines = data.split(|&byte| byte == b'\n');
    let words = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let words: Vec<&str> = words.split_whitespace().collect();
    let Ok(game) = REGISTRY.open_from_words(&words) else {
        return;
    };
    let options = SolveOptions {
        game: game.title(),
        extras: Extras { best: true, pv: true },
        ..SolveOptions::default()
    };
    let json_options = SolveOptions { json: true, ..options.clone() };
    for line in lines.take(MAX_LINES) {
        let plain = answer(line, &options);
        let json = answer(line, &json_options);
        for AnsweredLine { text, error, bytes } in [&plain, &json] {
            assert!(!text.contains(['\n', '\r']), "{text:?}");
            assert_eq!(*bytes, line.len());
            if let Some(message) = error {
                assert_message(message);
            }
        }
        assert!(plain.error.is_none() || plain.text.is_empty());
        if json.text.is_empty() {
            assert_eq!(plain.text, "");
            continue;
        }
        let object: serde_json::Value = serde_json::from_str(&json.text).expect("JSON");
        let error = object.get("error").and_then(|error| error.as_str());
        assert_eq!(error.map(str::to_owned), json.error, "{}", json.text);
        // Only an object may mean something in JSON that it does not mean in a plain line.
        if !String::from_utf8_lossy(line).trim_start_matches('\u{feff}').trim().starts_with('{') {
            assert_eq!(plain.error, json.error, "{}", json.text);
            let fields = plain.text.rsplit(' ').nth(4);
            let score = object.get("score").map(|score| score.to_string());
            assert_eq!(fields.map(str::to_owned), score, "{} {}", plain.text, json.text);
        }
    }
}

fn answer(line: &[u8], options: &SolveOptions) -> AnsweredLine {
    let answer = batch::answer(Input::Line(line.to_vec()), options, &mut solve);
    answer.expect("the input can be read").expect("it is not the end")
}

/// Stands for a solver: the score is the number of legal moves, and they are the line.
fn solve(question: &Question) -> Result<Solved, String> {
    let words: Vec<&str> = question.game.split_whitespace().collect();
    let mut game = REGISTRY.open_from_words(&words).expect("a title opens its game");
    question.position.set_up(&mut *game)?;
    let score = Some(ExactScore::Number(game.moves().len() as i32));
    Ok(Solved {
        scores: Scores::Position(score),
        nodes: 1,
        microseconds: 1,
        line: Some(game.moves()),
    })
}
