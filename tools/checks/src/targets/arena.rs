//! What the arena reads: match records, configurations and engine output.

use std::path::Path;

use ratlla_arena::config::MatchConfig;
use ratlla_arena::engine::dialect::{EngineMessage, Position, Proto};
use ratlla_arena::record::{self, GameRecord};
use ratlla_arena::report::{self, ReportData};
use ratlla_arena::rules;
use ratlla_arena::settings::MatchSettings;
use ratlla_arena::tune;
use serde_json::{Value, json};

use super::assert_message;

/// Bytes are rejected, or are a match that can be reported and that reads back.
pub fn check_record(data: &[u8]) {
    let Ok((settings, games)) = record::read_from(data) else {
        return;
    };
    let data = ReportData::new(&settings, &games);
    let tables = data.tables();
    assert!(!tables.is_empty());
    assert!(!tables.contains(|letter: char| letter.is_control() && letter != '\n'));
    for write in [report::pgn, report::csv, report::html, report::plot::svg] {
        assert!(write(&data).is_ok(), "a record that is read can be reported");
    }
    assert_reads_back(&settings, &games);
}

/// Bytes are rejected, or are a tuning run that can be reported and continued.
pub fn check_tune_record(data: &[u8]) {
    let Ok((settings, iterations)) = tune::record::read_from(data) else {
        return;
    };
    assert!(!tune::report::text(&settings, &iterations).is_empty());
    assert!(tune::report::svg(&settings, &iterations).is_ok());
    let spsa = tune::record::optimiser_after(&settings, &iterations);
    let in_range = |values: &[f64]| {
        let all = settings.parameters.iter().zip(values);
        all.into_iter().all(|(parameter, value)| (parameter.min..=parameter.max).contains(value))
    };
    assert!(in_range(spsa.values()));
    let next = spsa.propose();
    assert!(in_range(&next.plus) && in_range(&next.minus));
}

/// A text is rejected, or describes a match that can be written to a record and read back.
pub fn check_config(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(config) = MatchConfig::parse(&text) else {
        return;
    };
    // Opening lists are files, which a target must not touch.
    let config = MatchConfig { openings: None, ..config };
    if let Ok(settings) = config.settings(Path::new("/bin/sh")) {
        assert!(settings.total_games() >= settings.games);
        assert_reads_back(&settings, &[]);
    }
}

/// Every dialect parses a line of engine output; a move in it is played or rejected.
pub fn check_engine_line(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let position = Position::default();
    for proto in [Proto::Native, Proto::Ugi, Proto::Uci, Proto::Line] {
        if let EngineMessage::BestMove { mv: word, .. } = proto.dialect().parse(&text, &position) {
            let mut game = rules::open("").expect("the default game");
            match game.play(&word) {
                Ok(()) => assert_eq!(game.undo(), Ok(())),
                Err(message) => assert_message(&message),
            }
        }
    }
}

fn assert_reads_back(settings: &MatchSettings, games: &[GameRecord]) {
    let line = |kind: &str, mut value: Value| {
        value["type"] = json!(kind);
        format!("{value}\n")
    };
    let mut text = line("match", serde_json::to_value(settings).expect("serializes"));
    for game in games {
        text += &line("game", serde_json::to_value(game).expect("serializes"));
    }
    let read = record::read_from(text.as_bytes()).expect("a written record reads back");
    assert_eq!((&read.0, &read.1[..]), (settings, games));
    // A truncated last line is ignored, and the rest is read.
    let truncated = record::read_from(&text.as_bytes()[..text.len() - 1]);
    match truncated {
        Ok((_, rest)) => assert_eq!(rest.len() + 1, games.len()),
        Err(_) => assert_eq!(games.len(), 0),
    }
}
