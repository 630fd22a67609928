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

/// What a move captured from the opponent: the seeds, the name of their house, and how many of them
/// lay there before the move.
#[derive(Clone, Debug)]
struct Capture {
    seeds: usize,
    place: String,
    house: usize,
    lying: usize,
}

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
    fn sow(&self, house: usize) -> (Naive, Option<Capture>) {
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
        let mut capture = None;
        if row == own && pit < houses && after.pits[own][pit] == 1 {
            let facing = houses - 1 - pit;
            let opposite = after.pits[1 - own][facing];
            if opposite > 0 || self.empty_capture {
                after.pits[own][pit] = 0;
                after.pits[1 - own][facing] = 0;
                after.pits[own][houses] += 1 + opposite;
                capture = (opposite > 0).then(|| Capture {
                    seeds: opposite,
                    place: format!("p{}-{}", 2 - own, facing + 1),
                    house: facing + 1,
                    lying: self.pits[1 - own][facing],
                });
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
        let (after, captured) = self.sow(house(mv));
        let captures = |position: &Naive| -> Vec<Capture> {
            let captured = |mv: &String| position.sow(house(mv)).1;
            position
                .moves()
                .iter()
                .filter_map(captured)
                .filter(|capture| capture.lying > 0)
                .collect()
        };
        // "1 seed from your house 4" or "3 seeds from your house 4": as many as are then captured.
        let victims = |text: &str, capture: &Capture| {
            let (seeds, house) = text.split_once(" from your house ").expect("a house");
            counted(seeds, "seed") == capture.seeds && house == capture.house.to_string()
        };
        let most = |captures: &[Capture]| captures.iter().map(|capture| capture.seeds).max();
        if sentence == "The last seed lands in your store, so you move again" {
            return kind_is("again") && same(&[]) && after.mover == self.mover;
        }
        if let Some(text) = sentence.strip_prefix("Captures ") {
            let (seeds, place) = text.split_once(" from the opponent's house ").expect("a house");
            return kind_is("captures")
                && captured.is_some_and(|captured| {
                    same(std::slice::from_ref(&captured.place))
                        && counted(seeds, "seed") == captured.seeds
                        && place == captured.house.to_string()
                });
        }
        if let Some(text) = sentence.strip_prefix("Lets the opponent capture ") {
            let (seeds, reply) = text.split_once(" by playing house ").expect("a house");
            return kind_is("leaves")
                && after.mover != self.mover
                && after.moves().iter().any(|legal| legal == reply)
                && after.sow(house(reply)).1.is_some_and(|lost| {
                    same(std::slice::from_ref(&lost.place))
                        && victims(seeds, &lost)
                        && most(&captures(&after)) == Some(lost.seeds)
                });
        }
        if let Some(seeds) = sentence.strip_prefix("Stops the opponent from capturing ") {
            let before = captures(&Naive { mover: 3 - self.mover, ..self.clone() });
            let now = captures(&after);
            let is_it = |capture: &&Capture| {
                victims(seeds, capture)
                    && same(std::slice::from_ref(&capture.place))
                    && now.iter().all(|other| other.place != capture.place)
                    && Some(capture.seeds) == most(&before)
                    && most(&now) < most(&before)
            };
            return kind_is("saves")
                && after.mover != self.mover
                && before.iter().any(|capture| is_it(&capture));
        }
        if let Some(text) = sentence.strip_prefix("Adds ") {
            let stored = text.strip_suffix(" to your store").expect("the same words");
            let own = |position: &Naive| position.pits[usize::from(self.mover) - 1][self.houses()];
            return kind_is("stores") && counted(stored, "seed") == own(&after) - own(self);
        }
        false
    }

    fn owner(&self, cell: &str) -> u8 {
        cell.as_bytes()[1] - b'0'
    }
}
