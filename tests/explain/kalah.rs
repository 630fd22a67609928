//! Kalah, seed by seed.

use std::collections::HashMap;

use super::claims::{NaiveGame, counted};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Naive {
    /// By player: the houses and, last, the store.
    pits: [Vec<usize>; 2],
    mover: u8,
    empty_capture: bool,
}

/// The seeds a move captured, and the pits they were in.
type Capture = (usize, Vec<String>);

impl Naive {
    pub fn new(houses: usize, seeds: usize, empty_capture: bool) -> Naive {
        let row: Vec<usize> =
            (0..=houses).map(|pit| if pit < houses { seeds } else { 0 }).collect();
        Naive { pits: [row.clone(), row], mover: 1, empty_capture }
    }

    fn houses(&self) -> usize {
        self.pits[0].len() - 1
    }

    /// Sows a house of the mover, counted from 0.
    fn sow(&self, house: usize) -> (Naive, Capture) {
        let (own, houses) = (usize::from(self.mover) - 1, self.houses());
        let mut after = self.clone();
        let seeds = std::mem::take(&mut after.pits[own][house]);
        let (mut row, mut pit) = (own, house);
        for _ in 0..seeds {
            // The opponent's store is passed over.
            let last_pit = if row == own { houses } else { houses - 1 };
            (row, pit) = if pit == last_pit { (1 - row, 0) } else { (row, pit + 1) };
            after.pits[row][pit] += 1;
        }
        let mut capture = (0, Vec::new());
        if row == own && pit < houses && after.pits[own][pit] == 1 {
            let facing = houses - 1 - pit;
            let opposite = after.pits[1 - own][facing];
            if opposite > 0 || self.empty_capture {
                after.pits[own][pit] = 0;
                after.pits[1 - own][facing] = 0;
                after.pits[own][houses] += 1 + opposite;
                let name = |row: usize, pit: usize| format!("p{}-{}", row + 1, pit + 1);
                capture = (1 + opposite, vec![name(own, pit)]);
                if opposite > 0 {
                    capture.1.push(name(1 - own, facing));
                }
            }
        }
        if !(row == own && pit == houses) {
            after.mover = 3 - self.mover;
        }
        if after.pits.iter().any(|row| row[..houses].iter().all(|&seeds| seeds == 0)) {
            for row in &mut after.pits {
                row[houses] = row.iter().sum();
                row[..houses].fill(0);
            }
        }
        (after, capture)
    }

    fn in_play(&self) -> usize {
        self.pits.iter().map(|row| row[..self.houses()].iter().sum::<usize>()).sum()
    }

    /// The lead of player 1 with best play.
    fn lead(&self, memory: &mut HashMap<Naive, i32>) -> i32 {
        if self.in_play() == 0 {
            let [first, second] = [0, 1].map(|row| self.pits[row][self.houses()] as i32);
            return first - second;
        }
        if let Some(&known) = memory.get(self) {
            return known;
        }
        let moves = self.moves();
        let leads: Vec<i32> = moves.iter().map(|mv| self.after(mv).lead(memory)).collect();
        let best = if self.mover == 1 { leads.iter().max() } else { leads.iter().min() };
        let best = *best.expect("a move");
        memory.insert(self.clone(), best);
        best
    }
}

fn house(mv: &str) -> usize {
    mv.parse::<usize>().expect("a house") - 1
}

impl NaiveGame for Naive {
    fn longest(&self) -> usize {
        40
    }

    fn mover(&self) -> u8 {
        self.mover
    }

    fn moves(&self) -> Vec<String> {
        let own = &self.pits[usize::from(self.mover) - 1];
        let filled = (0..self.houses()).filter(|&house| own[house] > 0);
        filled.map(|house| (house + 1).to_string()).collect()
    }

    fn after(&self, mv: &str) -> Naive {
        self.sow(house(mv)).0
    }

    fn result(&self) -> Option<u8> {
        (self.in_play() == 0).then(|| {
            let [first, second] = [0, 1].map(|row| self.pits[row][self.houses()]);
            match first.cmp(&second) {
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => 0,
            }
        })
    }

    fn margin(&self) -> Option<i32> {
        (self.in_play() <= 10).then(|| {
            let lead = self.lead(&mut HashMap::new());
            if self.mover == 1 { lead } else { -lead }
        })
    }

    fn alternates(&self) -> bool {
        false
    }

    fn provable(&self) -> usize {
        5
    }

    fn solved(&self) -> Option<(u8, usize)> {
        let lead = (self.in_play() <= 10).then(|| self.lead(&mut HashMap::new()))?;
        // The distance is not known.
        Some(match lead.signum() {
            0 => (0, 0),
            1 => (1, 0),
            _ => (2, 0),
        })
    }

    fn check(&self, mv: &str, kind: &str, cells: Option<&[&str]>, sentence: &str) -> bool {
        let kind_is = |expected: &str| kind.is_empty() || kind == expected;
        let same = |named: &[String]| cells.is_none_or(|cells| cells == named);
        let (after, (captured, places)) = self.sow(house(mv));
        if sentence == "The last seed falls into your store, so you move again" {
            return kind_is("again") && same(&[]) && after.mover == self.mover;
        }
        if let Some(text) = sentence.strip_prefix("Captures ") {
            return kind_is("captures")
                && same(&places)
                && counted(text, "seed") == captured
                && captured > 0;
        }
        if let Some(text) = sentence.strip_prefix("Leaves ") {
            let (number, reply) =
                text.split_once(" that the opponent can capture with house ").expect("a house");
            let (_, (lost, places)) = after.sow(house(reply));
            let most = after.moves().iter().map(|reply| after.sow(house(reply)).1.0).max();
            return kind_is("leaves")
                && same(&places)
                && after.mover != self.mover
                && counted(number, "seed") == lost
                && most == Some(lost);
        }
        if let Some(number) =
            sentence.strip_prefix("Saves seeds: the opponent threatened to capture ")
        {
            let threatened: usize = number.parse().expect("a number");
            let most = |position: &Naive| {
                let captures = position.moves().into_iter().map(|mv| position.sow(house(&mv)).1.0);
                captures.max().unwrap_or(0)
            };
            let passed = Naive { mover: 3 - self.mover, ..self.clone() };
            return kind_is("saves")
                && after.mover != self.mover
                && most(&passed) == threatened
                && most(&after) < threatened;
        }
        if let Some(text) = sentence.strip_prefix("Brings ") {
            let stored = text.strip_suffix(" into your store").expect("the same words");
            let own = |position: &Naive| position.pits[usize::from(self.mover) - 1][self.houses()];
            return kind_is("stores") && counted(stored, "seed") == own(&after) - own(self);
        }
        false
    }

    fn owner(&self, cell: &str) -> u8 {
        cell.as_bytes()[1] - b'0'
    }
}
