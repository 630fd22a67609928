//! What the arena reads: records, configurations, and the lines of engines.

use std::path::Path;

use ratlla_arena::config::MatchConfig;
use ratlla_arena::engine::dialect::{EngineMessage, Position, Proto};
use ratlla_arena::record::{self, GameRecord};
use ratlla_arena::report;
use ratlla_arena::rules;
use ratlla_arena::settings::MatchSettings;
use serde_json::{Value, json};

use crate::assert_message;

/// Bytes are refused, or a match whose tables can be told and which reads back.
pub fn check_record(data: &[u8]) {
    let Ok((settings, games)) = record::read_from(data) else {
        return;
    };
    let tables = report::tables(&settings, &games);
    assert!(!tables.is_empty());
    assert_reads_back(&settings, &games);
}

/// A text is refused, or describes a match that can be written to a record and read from it.
pub fn check_config(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(config) = MatchConfig::parse(&text) else {
        return;
    };
    // A list of openings is a file of the user's own choice, and none of ours.
    let config = MatchConfig { openings: None, ..config };
    if let Ok(settings) = config.settings(Path::new("/bin/sh")) {
        assert!(settings.total_games() >= settings.games);
        assert_reads_back(&settings, &[]);
    }
}

/// A line of an engine is something in every dialect, and what it calls a move is one, or refused.
pub fn check_engine_line(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let position = Position::default();
    for proto in [Proto::Native, Proto::Ugi, Proto::Uci, Proto::Line] {
        if let EngineMessage::BestMove(word) = proto.dialect().parse(&text, &position) {
            let mut game = rules::open("").expect("the usual board");
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
    let mut text = line("match", serde_json::to_value(settings).expect("can be written"));
    for game in games {
        text += &line("game", serde_json::to_value(game).expect("can be written"));
    }
    let read = record::read_from(text.as_bytes()).expect("what was written can be read");
    assert_eq!((&read.0, &read.1[..]), (settings, games));
    // A line that was cut off is no game, and the rest is there.
    let cut = record::read_from(&text.as_bytes()[..text.len() - 1]);
    match cut {
        Ok((_, rest)) => assert_eq!(rest.len() + 1, games.len()),
        Err(_) => assert_eq!(games.len(), 0),
    }
}
