//! Every rule that decides without a search, on positions where it does decide.
//!
//! Each claim is compared with a plain search until every rule has decided
//! [`ENOUGH`] positions, on odd heights and on even ones.

use super::super::Bounds;
use super::super::bitboard::Bitboard;
use super::super::bounds::StaticBounds;
use super::super::children::Children;
use super::super::geometry::{BoardGeometry, Measured};
use super::super::node::{Node, Playout};
use super::super::score::{SolverScore, loss_next};
use super::super::search::quiet_bounds;
use super::super::{Position, threats};
use super::Xorshift;
use super::plain::{ANY_SCORE, Truth};

/// Positions that every rule must decide.
const ENOUGH: u32 = 100_000;
/// Empty cells at most: more take the plain search too long.
const MOST_EMPTIES: u32 = 9;

const ODD_HEIGHTS: [(u32, u32); 5] = [(5, 4), (5, 5), (5, 6), (7, 4), (7, 5)];
const EVEN_HEIGHTS: [(u32, u32); 5] = [(4, 4), (4, 6), (6, 4), (6, 5), (6, 7)];

#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Forced moves lead to the end of the game.
    Decided,
    /// Forced moves lead to a position with the same score.
    Forced,
    /// A move that is no candidate loses to the next stone.
    NoCandidate,
    /// A quiet position is not decided at once.
    Distance,
    DrawByFollowUp,
    WinByFollowUp,
    OutOfLines,
    Zugzwang,
}

/// How many positions each rule has decided.
#[derive(Debug, Default)]
struct Counts([u32; Rule::Zugzwang as usize + 1]);

impl Counts {
    /// Whether a rule has still to be checked.
    fn lacks(&self, rule: Rule) -> bool {
        self.0[rule as usize] < ENOUGH
    }

    /// Checks what a rule says about the score of a position.
    fn check(&mut self, rule: Rule, position: &Position, bounds: Bounds) {
        self.0[rule as usize] += 1;
        let holds = Truth::of(position).is_within(bounds);
        assert!(holds, "{rule:?}: {bounds:?} {position:?}");
    }

    fn are_enough(&self) -> bool {
        self.0.iter().all(|&count| count >= ENOUGH)
    }
}

/// Checks all that the rules say about one position that is not over.
fn check_position(position: &Position, counts: &mut Counts) {
    let geometry = Measured::<u64>::new(position.rows(), position.columns());
    let layout = geometry.layout();
    let (mover, other) = position.stones();
    let node = Node::<u64>::new(&layout, mover, other);
    let playable = layout.playable(node.occupied());
    if !(node.mover_threats & playable).is_empty() {
        return;
    }
    if counts.lacks(Rule::NoCandidate) {
        let losing = playable & !node.candidates(&layout);
        let is_losing = |&column: &u32| !(losing & layout.column(column)).is_empty();
        for column in (0..layout.columns).filter(is_losing) {
            let next = position.play(column).expect("the column is playable");
            counts.check(Rule::NoCandidate, &next, Bounds::exact(-loss_next(node.empties)));
        }
    }
    match node.play_forced(&layout) {
        Playout::Decided(score, same_side) => {
            if counts.lacks(Rule::Decided) {
                counts.check(Rule::Decided, position, Bounds::exact(score).seen_by(same_side));
            }
        }
        Playout::Quiet(quiet, same_side) => {
            let quiet_position = position_of(position, &quiet);
            if quiet.empties < node.empties && counts.lacks(Rule::Forced) {
                let score = Bounds::exact(Truth::of(&quiet_position).score());
                counts.check(Rule::Forced, position, score.seen_by(same_side));
            }
            check_quiet(geometry, &quiet_position, &quiet, counts);
        }
    }
}

/// Checks the static bounds of a quiet position.
fn check_quiet(
    geometry: Measured<u64>,
    position: &Position,
    node: &Node<u64>,
    counts: &mut Counts,
) {
    let mut children = Children::<Measured<u64>>::new(node.empties);
    children.set(0, node);
    let mine_is_closing = children.mine_is_closing();
    let static_bounds =
        |goal| StaticBounds { geometry, children: &children, mine_is_closing, goal };
    let is_sure =
        |goal: &SolverScore| static_bounds(*goal).not_sure_by_follow_up().as_ref()[0].is_empty();
    let is_lost =
        |goal: &SolverScore| !static_bounds(*goal).lost_by_zugzwang().as_ref()[0].is_empty();
    let is_out_of_lines = || !static_bounds(1).out_of_lines().as_ref()[0].is_empty();
    let at_least = |lower| Bounds { lower, upper: ANY_SCORE };
    let at_most = |upper| Bounds { lower: -ANY_SCORE, upper };

    if counts.lacks(Rule::Distance) {
        counts.check(Rule::Distance, position, quiet_bounds(node.empties));
    }
    // Each rule bounds the score of the closing side. Where it depends on a goal, the boldest
    // claim implies the others.
    let highest = MOST_EMPTIES as SolverScore / 2 + 1;
    let claims: [(Rule, &dyn Fn() -> Option<Bounds>); 4] = [
        (Rule::DrawByFollowUp, &|| is_sure(&0).then(|| at_least(0))),
        (Rule::WinByFollowUp, &|| (1..=highest).rev().find(is_sure).map(at_least)),
        (Rule::Zugzwang, &|| (-highest..=0).find(is_lost).map(|goal| at_most(goal - 1))),
        (Rule::OutOfLines, &|| is_out_of_lines().then(|| at_most(0))),
    ];
    for (rule, claim) in claims {
        if counts.lacks(rule)
            && let Some(of_closing) = claim()
        {
            counts.check(rule, position, of_closing.seen_by(mine_is_closing));
        }
    }
}

/// The position of a node on the board of another position.
fn position_of(like: &Position, node: &Node<u64>) -> Position {
    Position::from_stones(like.rows(), like.columns(), node.mover.into(), node.other.into())
        .expect("a node is a position")
}

/// A position that is not over. With `alternate`, it comes from a game; without, its stones belong
/// to anybody, as the rules do not count them.
fn random_grid(random: &mut Xorshift, rows: u32, columns: u32, alternate: bool) -> Position {
    let layout = Measured::<u64>::new(rows, columns).layout();
    'again: loop {
        let mut sides = [0u64; 2];
        let empties = random.below(MOST_EMPTIES) + 1;
        for turn in empties..rows * columns {
            let stone = loop {
                let column = layout.column(random.below(columns));
                let stone = layout.playable(sides[0] | sides[1]) & column;
                if stone != 0 {
                    break stone;
                }
            };
            let is_quiet = |&side: &usize| !threats::has_line(&layout, sides[side] | stone);
            let owner =
                if alternate { (rows * columns - turn) % 2 } else { random.below(2) } as usize;
            let owners = [owner, 1 - owner];
            let owners = if alternate { &owners[..1] } else { &owners };
            let Some(&side) = owners.iter().find(|&side| is_quiet(side)) else { continue 'again };
            sides[side] |= stone;
        }
        return Position::from_stones(rows, columns, sides[0].into(), sides[1].into())
            .expect("stones lie on each other");
    }
}

/// Draws positions until every rule has decided enough.
fn check_rules(seed: u64, sizes: &[(u32, u32)]) {
    let mut random = Xorshift(seed);
    let mut counts = Counts::default();
    for (round, &(rows, columns)) in sizes.iter().cycle().enumerate() {
        let position = random_grid(&mut random, rows, columns, round % 4 == 0);
        check_position(&position, &mut counts);
        if counts.are_enough() {
            return;
        }
        assert!(round < 100_000_000, "{counts:?}");
    }
}

#[test]
fn rules_hold_on_odd_heights() {
    check_rules(31, &ODD_HEIGHTS);
}

#[test]
fn rules_hold_on_even_heights() {
    check_rules(32, &EVEN_HEIGHTS);
}
