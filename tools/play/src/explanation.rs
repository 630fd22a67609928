//! The engine's reasons for moves, in words.

use ratlla::search::result::ReportedScore;

/// What the engine says about a move.
#[derive(Debug, PartialEq, Eq)]
pub struct Reason {
    /// The move.
    pub mv: String,
    /// Its score; `None` if there is none.
    pub score: Option<ReportedScore>,
    /// Why it is good or bad.
    pub sentence: String,
}

/// What is wrong with a move.
#[derive(Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The best move.
    pub best: String,
    /// What the move costs, and why.
    pub sentence: String,
    /// The move and what follows.
    pub line: Vec<String>,
}

impl Reason {
    /// Parses `reason <move> <score> <kind> [cells …] <sentence>`.
    fn parse(line: &str) -> Option<Reason> {
        let rest = line.strip_prefix("reason ")?;
        let words: Vec<&str> = rest.split(' ').collect();
        let [mv, name, ..] = words[..] else {
            return None;
        };
        let score = parse_score(name, words.get(2));
        Some(Reason { mv: mv.to_owned(), score, sentence: sentence_of(&words[1..])?.1 })
    }

    /// All reasons among the engine's replies, the best move's first.
    pub fn find_all(replies: &[String]) -> Vec<Reason> {
        replies.iter().filter_map(|line| Reason::parse(line)).collect()
    }

    /// The score in a word or a number.
    pub fn value(&self) -> String {
        match self.score {
            Some(ReportedScore::Win(_)) => "wins".to_owned(),
            Some(ReportedScore::Loss(_)) => "loses".to_owned(),
            Some(ReportedScore::Draw) => "draws".to_owned(),
            Some(ReportedScore::Margin(margin)) => format!("{margin:+}"),
            Some(ReportedScore::Points(points)) => format!("{:+.2}", f64::from(points) / 100.0),
            None => "?".to_owned(),
        }
    }
}

impl Refutation {
    /// Finds `refutation m <score> best m2 <score> line m... <sentence>` among the engine's replies.
    pub fn find(replies: &[String]) -> Option<Refutation> {
        let rest = replies.iter().find_map(|line| line.strip_prefix("refutation "))?;
        let words: Vec<&str> = rest.split(' ').collect();
        let after = |word: &str| words.iter().position(|&it| it == word).map(|index| index + 1);
        let (length, sentence) = sentence_of(&words)?;
        let line = words.get(after("line")?..length)?;
        Some(Refutation {
            best: (*words.get(after("best")?)?).to_owned(),
            sentence,
            line: line.iter().map(|&mv| mv.to_owned()).collect(),
        })
    }
}

/// The index of the first word that begins with a capital letter, and the text from there.
fn sentence_of(words: &[&str]) -> Option<(usize, String)> {
    let start = words.iter().position(|word| word.starts_with(|c: char| c.is_uppercase()))?;
    Some((start, words[start..].join(" ")))
}

fn parse_score(name: &str, number: Option<&&str>) -> Option<ReportedScore> {
    let number = number.and_then(|word| word.parse::<i32>().ok());
    let plies = || usize::try_from(number?).ok();
    match name {
        "win" => plies().map(ReportedScore::Win),
        "loss" => plies().map(ReportedScore::Loss),
        "draw" => Some(ReportedScore::Draw),
        "margin" => number.map(ReportedScore::Margin),
        "cp" => number.map(ReportedScore::Points),
        _ => None,
    }
}

/// The first cell that a sentence names, such as d4, in words.
pub fn cell_in_words(sentence: &str) -> Option<String> {
    sentence.split(|c: char| !c.is_alphanumeric()).find_map(|word| {
        let mut letters = word.chars();
        let column = letters.next().filter(char::is_ascii_lowercase)?;
        let row: u32 = letters.as_str().parse().ok()?;
        let number = u32::from(column) - u32::from('a') + 1;
        Some(format!("{word} is column {number}, row {row} from the bottom"))
    })
}

/// A sentence about a move of the computer, which speaks of itself: in the engine's words, "you" is
/// who moves.
pub fn first_person(sentence: &str) -> String {
    let spoken = retold(sentence, |word, before, _| match word {
        You::Subject => "I".to_owned(),
        You::Object => "me".to_owned(),
        You::Owner if before.is_empty() || before.ends_with(". ") => "My".to_owned(),
        You::Owner => "my".to_owned(),
        You::Verb(verb) => verb.to_owned(),
    });
    format!("\"{spoken}\"")
}

/// A sentence about a move of the player with this name, for everybody.
pub fn third_person(sentence: &str, name: &str) -> String {
    retold(sentence, |word, _, next| match word {
        You::Subject | You::Object => name.to_owned(),
        // "You can win within your next 3 moves": the name was just told.
        You::Owner if next == Some("next") => "their".to_owned(),
        You::Owner => format!("{name}'s"),
        You::Verb(verb) if verb == "can" => verb.to_owned(),
        You::Verb(verb) => format!("{verb}s"),
    })
}

/// A word of a sentence that depends on who "you" is.
enum You<'a> {
    /// "You", who does something.
    Subject,
    /// "You", to whom something is done.
    Object,
    /// "Your".
    Owner,
    /// What you do.
    Verb(&'a str),
}

/// A sentence with other words for "you", given what is told before and the next word.
fn retold(sentence: &str, words_for: impl Fn(You<'_>, &str, Option<&str>) -> String) -> String {
    let words: Vec<&str> = sentence.split(' ').collect();
    let mut told = String::new();
    let mut is_verb = false;
    for (index, word) in words.iter().enumerate() {
        let bare = word.trim_end_matches(|c: char| !c.is_alphabetic());
        let last = index.checked_sub(1).map(|last| words[last]);
        let begins_clause =
            last.is_none_or(|last| ["so", "then"].contains(&last) || last.ends_with([',', ':']));
        let you = match bare {
            "You" => Some(You::Subject),
            "you" if begins_clause => Some(You::Subject),
            "you" => Some(You::Object),
            "Your" | "your" => Some(You::Owner),
            verb if is_verb => Some(You::Verb(verb)),
            _ => None,
        };
        is_verb = matches!(you, Some(You::Subject));
        if index > 0 {
            told.push(' ');
        }
        match you {
            Some(you) => {
                let other = words_for(you, &told, words.get(index + 1).copied());
                told.push_str(&other);
            }
            None => told.push_str(bare),
        }
        told.push_str(&word[bare.len()..]);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reasons_are_parsed() {
        let line =
            "reason 5 win 3 fork cells b1 f1 Makes two threats at once, at b1 and f1. You can win.";
        let reason = Reason::parse(line).unwrap();
        assert_eq!((reason.mv.as_str(), reason.score), ("5", Some(ReportedScore::Win(3))));
        assert_eq!(reason.sentence, "Makes two threats at once, at b1 and f1. You can win.");
        assert_eq!(reason.value(), "wins");
        for (line, value) in [
            ("reason 2 margin 4 again The last.", "+4"),
            ("reason a1 cp -35 judged Nothing.", "-0.35"),
            ("reason a1 none judged Nothing.", "?"),
            ("reason a1 draw draws If.", "draws"),
        ] {
            assert_eq!(Reason::parse(line).unwrap().value(), value);
        }
        assert_eq!(Reason::parse("bestmove 5"), None);
    }

    #[test]
    fn refutations_are_parsed() {
        let reply = "refutation 3 loss 2 best 1 win 1 line 3 2 Turns a win into a loss.".to_owned();
        let refutation = Refutation::find(&[reply]).unwrap();
        assert_eq!((refutation.best.as_str(), refutation.line.join(" ").as_str()), ("1", "3 2"));
        assert_eq!(refutation.sentence, "Turns a win into a loss.");
    }

    #[test]
    fn the_computer_speaks_of_itself() {
        let sentence = "The last seed lands in your store, so you move again. You can win.";
        let spoken = "\"The last seed lands in my store, so I move again. I can win.\"";
        assert_eq!(first_person(sentence), spoken);
        let sentence =
            "The opponent must block the lower one, and then you can play the upper one.";
        let spoken =
            "\"The opponent must block the lower one, and then I can play the upper one.\"";
        assert_eq!(first_person(sentence), spoken);
        let spoken = "\"Leaves me 3 places to drop a stone and the opponent 2. If both sides play their best, I win by 4.\"";
        let sentence = "Leaves you 3 places to drop a stone and the opponent 2. If both sides play their best, you win by 4.";
        assert_eq!(first_person(sentence), spoken);
    }

    #[test]
    fn with_two_people_players_have_names() {
        for (sentence, told) in [
            (
                "Leaves you 24 places to drop a stone and the opponent 22.",
                "Leaves O 24 places to drop a stone and the opponent 22.",
            ),
            (
                "The last seed lands in your store, so you move again. You can win within your next 2 moves.",
                "The last seed lands in O's store, so O moves again. O can win within their next 2 moves.",
            ),
            (
                "Stops the opponent from capturing 3 seeds from your house 1. If both sides play their best, you lose by 4.",
                "Stops the opponent from capturing 3 seeds from O's house 1. If both sides play their best, O loses by 4.",
            ),
            (
                "Makes more threats than the opponent can stop in one turn: you win on your next turn.",
                "Makes more threats than the opponent can stop in one turn: O wins on their next turn.",
            ),
            (
                "The opponent must play d2, and then d3 above it completes your line.",
                "The opponent must play d2, and then d3 above it completes O's line.",
            ),
        ] {
            assert_eq!(third_person(sentence, "O"), told);
        }
    }

    #[test]
    fn cells_are_found_and_explained() {
        let sentence = "Stops the opponent from completing a line at d4 or e12.";
        let words = "d4 is column 4, row 4 from the bottom";
        assert_eq!(cell_in_words(sentence).as_deref(), Some(words));
        assert_eq!(cell_in_words("Captures 6 seeds with a house."), None);
    }

    proptest! {
        #[test]
        fn any_line_is_parsed_or_ignored(line in "(reason|refutation|)( [a-zA-Z0-9]{0,4}){0,9}") {
            drop(Reason::parse(&line));
            drop(Refutation::find(&[line]));
        }
    }
}
