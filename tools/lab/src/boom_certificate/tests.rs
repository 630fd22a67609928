use std::fs;
use std::path::Path;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Game, Outcome, Side};
use ratlla::games::boom::board::{Board, Move};

use super::certificate::{Certificate, position_after};
use super::claim::{Claim, Goal};
use super::make::{engine_board, make};
use super::rules::{BOOM, Position};

/// The certificates in `docs/certificates`, each with the position and its claim.
const PUBLISHED: [(&str, &[u8], &str); 8] = [
    ("boom-1-p1-unbeaten-before-18", &[1], "p1 unbeaten before 18"),
    ("boom-1-p2-wins-by-18", &[1], "p2 wins by 18"),
    ("boom-2-p1-unbeaten-before-23", &[2], "p1 unbeaten before 23"),
    ("boom-2-p2-wins-by-23", &[2], "p2 wins by 23"),
    ("boom-3-p1-wins-by-33", &[3], "p1 wins by 33"),
    ("boom-3-p2-unbeaten-before-33", &[3], "p2 unbeaten before 33"),
    ("boom-p1-wins-by-25", &[], "p1 wins by 25"),
    ("boom-p2-unbeaten-before-25", &[], "p2 unbeaten before 25"),
];

fn text_of(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/certificates");
    fs::read_to_string(folder.join(name).with_extension("txt")).unwrap()
}

/// The shortest certificates of each kind of claim.
fn short_certificates() -> [Certificate; 2] {
    ["boom-1-p2-wins-by-18", "boom-3-p2-unbeaten-before-33"]
        .map(|name| Certificate::parse(&text_of(name)).unwrap())
}

/// Whether the certificate is refused although its checksum is right.
fn is_refused(certificate: &Certificate) -> bool {
    let read = Certificate::parse(&certificate.to_text());
    read.and_then(|certificate| certificate.check()).is_err()
}

#[test]
fn the_published_certificates_hold() {
    for (name, moves, claim) in PUBLISHED {
        let certificate = Certificate::parse(&text_of(name)).unwrap();
        assert_eq!((&certificate.moves[..], certificate.claim), (moves, claim.parse().unwrap()));
        certificate.check().unwrap();
    }
    // Player 1's first move is what tells the value of column 4.
    let win = Certificate::parse(&text_of("boom-p1-wins-by-25")).unwrap();
    assert_eq!(win.entries[&Position::start()], 4);
}

#[test]
fn every_wrong_byte_is_refused() {
    let text = text_of("boom-1-p2-wins-by-18");
    for index in 0..text.len() {
        for other in [b' ', b'\n', b'/', b'1', b'7', b'b'] {
            let mut bytes = text.clone().into_bytes();
            bytes[index] = other;
            let damaged = String::from_utf8(bytes).unwrap();
            assert_eq!(Certificate::parse(&damaged).is_ok(), damaged == text, "byte {index}");
        }
        assert!(Certificate::parse(&text[..index]).is_err());
    }
    assert!(Certificate::parse(&(text + "\n")).is_err());
}

#[test]
fn a_missing_entry_is_refused() {
    for mut certificate in short_certificates() {
        let entries: Vec<_> = certificate.entries.clone().into_iter().collect();
        let step = entries.len() / 16;
        for (position, mv) in entries.into_iter().step_by(step) {
            certificate.entries.remove(&position);
            assert!(is_refused(&certificate), "without {position}");
            certificate.entries.insert(position, mv);
        }
        assert!(!is_refused(&certificate));
    }
}

#[test]
fn a_wrong_or_superfluous_entry_is_refused() {
    let [mut certificate, _] = short_certificates();
    for (position, mv) in certificate.entries.clone() {
        for other in (1..=BOOM).filter(|&other| other != mv) {
            certificate.entries.insert(position.clone(), other);
            assert!(is_refused(&certificate), "{position} {other}");
        }
        certificate.entries.insert(position, mv);
    }
    certificate.entries.insert(position_after(&[1, 1]).unwrap().canonical().0, 1);
    assert!(is_refused(&certificate));
}

#[test]
fn a_stronger_claim_is_refused() {
    for (name, _, _) in PUBLISHED {
        let mut certificate = Certificate::parse(&text_of(name)).unwrap();
        match &mut certificate.claim.goal {
            Goal::WinsBy(last) => *last -= 1,
            Goal::UnbeatenBefore(first) => *first += 1,
        }
        assert!(is_refused(&certificate), "{name}");
        certificate = Certificate::parse(&text_of(name)).unwrap();
        certificate.claim.player = 3 - certificate.claim.player;
        assert!(is_refused(&certificate), "{name}");
    }
}

#[test]
fn entries_are_in_order_and_not_mirrored() {
    let [certificate, _] = short_certificates();
    let text = certificate.to_text();
    let (first, second) = ("2 //////1 4\n", "3 ///2///1 3\n");
    let both = format!("{first}{second}");
    assert!(text.contains(&both));
    let signed = |text: &str| {
        let (signed, _) = text.rsplit_once("sha256").unwrap();
        signed.to_owned() + &super::certificate::checksum_line(signed)
    };
    assert!(Certificate::parse(&signed(&text)).is_ok());
    for wrong in [
        format!("{second}{first}"),
        format!("{both}{second}"),
        format!("2 1////// 4\n{second}"),
        format!("02 //////1 4\n{second}"),
        format!("2 //////3 4\n{second}"),
        format!("2 /////1 4\n{second}"),
        format!("2 //////1 8\n{second}"),
        format!("2 //////1\n{second}"),
        first.to_owned(),
    ] {
        assert!(Certificate::parse(&signed(&text.replace(&both, &wrong))).is_err(), "{wrong}");
    }
}

#[test]
fn claims_are_read_back_or_refused() {
    for (_, _, text) in PUBLISHED {
        assert_eq!(text.parse::<Claim>().unwrap().to_string(), text);
    }
    let wrong = ["", "p1", "p3 wins by 25", "p1 wins by 0", "p1 wins by 301", "p1 wins  by 25"];
    for text in
        wrong.into_iter().chain(["p1 wins before 25", "p1 wins by +25", "p1 25", "p1 wins by"])
    {
        assert!(text.parse::<Claim>().is_err(), "{text}");
    }
}

#[test]
fn true_claims_get_a_certificate_and_false_ones_do_not() {
    let make = |claim: &str| make(claim.parse().unwrap(), &[1], 64);
    // The search is repeatable, so its proposals are, too.
    for (claim, entries) in [("p2 wins by 18", 16), ("p2 unbeaten before 25", 16)] {
        let certificate = make(claim).unwrap();
        assert!(certificate.check().is_ok());
        assert_eq!(certificate.entries.len(), entries, "{claim}");
    }
    // It knows itself that it has nothing to propose: 18 is the very move with which player 2 wins.
    for claim in ["p2 wins by 17", "p1 unbeaten before 19", "p1 wins by 18"] {
        let error = make(claim).unwrap_err().to_string();
        assert!(error.starts_with("the search finds no move"), "{claim}: {error}");
    }
}

#[test]
fn the_checker_knows_nothing_of_the_engine() {
    let sources =
        [include_str!("rules.rs"), include_str!("claim.rs"), include_str!("certificate.rs")];
    assert!(sources.iter().all(|source| !source.contains("ratlla::")));
}

/// What happened in random games.
#[derive(Debug, Default)]
struct Coverage {
    explosions: usize,
    won: usize,
    lost_by_own_move: usize,
    blocked: usize,
}

#[test]
fn the_rules_are_those_of_the_engine() {
    let mut rng = SmallRng::seed_from_u64(8);
    let mut coverage = Coverage::default();
    for _ in 0..20_000 {
        // Some games avoid lines, so that they fill the board.
        let is_long = rng.random_bool(0.2);
        play_both(&mut rng, is_long, &mut coverage);
    }
    let Coverage { explosions, won, lost_by_own_move, blocked } = coverage;
    assert!(
        explosions.min(won).min(lost_by_own_move * 10).min(blocked * 100) > 1000,
        "{coverage:?}"
    );
}

fn play_both(rng: &mut SmallRng, is_long: bool, coverage: &mut Coverage) {
    let (mut board, mut position) = (Board::new(), Position::start());
    while board.outcome().is_none() {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        assert_eq!(moves.iter().map(number_of).collect::<Vec<_>>(), position.legal_moves());
        assert_eq!(engine_board(&position).unwrap(), board);
        assert_eq!(position.winner(), None);
        let ends = |mv: &Move| {
            let mut after = board.clone();
            after.play(*mv);
            after.outcome().is_some()
        };
        if is_long && !moves.iter().all(ends) {
            moves.retain(|mv| !ends(mv));
        }
        let mv = *moves.choose(rng).unwrap();
        let mover = position.mover();
        board.play(mv);
        position = position.after(number_of(&mv));
        coverage.explosions += usize::from(mv == Move::Boom);
        coverage.won += usize::from(position.winner() == Some(mover));
        coverage.lost_by_own_move += usize::from(position.winner() == Some(3 - mover));
        coverage.blocked +=
            usize::from(position.winner().is_some() && position.legal_moves().is_empty());
    }
    let winner = match board.outcome().unwrap() {
        Outcome::Win(Side::P1) => Some(1),
        Outcome::Win(Side::P2) => Some(2),
        Outcome::Draw => None,
    };
    assert_eq!(position.winner(), winner, "{position}");
}

fn number_of(mv: &Move) -> u8 {
    match *mv {
        Move::Drop(column) => column + 1,
        Move::Boom => BOOM,
    }
}
