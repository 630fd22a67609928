//! Every rule that decides without a search, on positions where it does decide.
//!
//! Each claim is compared with a plain search until every rule has decided enough
//! positions, on odd heights and on even ones, for every form of the code.

use super::super::Bounds;
use super::super::bitboard::{Bitboard, Halves};
use super::super::bounds::StaticBounds;
use super::super::children::Children;
use super::super::geometry::{BoardGeometry, BoardLayout, Fixed, Measured};
use super::super::node::{Node, Playout};
use super::super::score::{SolverScore, loss_next};
use super::super::search::quiet_bounds;
use super::super::{Position, threats};
use super::Xorshift;
use super::plain::{ANY_SCORE, Truth};

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
    /// A move that is not a candidate loses to the next stone.
    NoCandidate,
    /// A quiet position is not decided at once.
    Distance,
    DrawByFollowUp,
    WinByFollowUp,
    OutOfLines,
    Zugzwang,
}

/// How many positions each rule has decided.
#[derive(Debug)]
struct Counts {
    decided: [u32; Rule::Zugzwang as usize + 1],
    /// Positions that every rule must decide.
    enough: u32,
    /// A rule that may decide fewer.
    rare: Option<Rule>,
}

impl Counts {
    /// Whether a rule has still to be checked.
    fn lacks(&self, rule: Rule) -> bool {
        self.decided[rule as usize] < self.enough
    }

    /// Checks what a rule says about the score of a position.
    fn check(&mut self, rule: Rule, position: &Position, bounds: Bounds) {
        self.decided[rule as usize] += 1;
        let holds = Truth::of(position).is_within(bounds);
        assert!(holds, "{rule:?}: {bounds:?} {position:?}");
    }

    fn are_enough(&self) -> bool {
        let is_enough = |(rule, &count): (usize, &u32)| {
            count >= self.enough || self.rare.is_some_and(|rare| rare as usize == rule)
        };
        self.decided.iter().enumerate().all(is_enough)
    }
}

/// Checks all that the rules say about one position that is not over.
fn check_position<G: BoardGeometry>(geometry: G, position: &Position, counts: &mut Counts) {
    let layout = geometry.layout();
    let (mover, other) = position.stones();
    let node = Node::<G::Bits>::new(&layout, mover, other);
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
fn check_quiet<G: BoardGeometry>(
    geometry: G,
    position: &Position,
    node: &Node<G::Bits>,
    counts: &mut Counts,
) {
    let mut children = Children::<G, 1>::new(node);
    children.set(0, node);
    let mine_is_closing = children.mine_is_closing();
    let static_bounds = |goal| StaticBounds { geometry, children: &children, goal };
    let is_sure = |goal: &SolverScore| static_bounds(*goal).not_sure_by_follow_up()[0][0] == 0;
    let is_lost = |goal: &SolverScore| static_bounds(*goal).lost_by_zugzwang()[0][0] != 0;
    let is_out_of_lines = || static_bounds(1).out_of_lines()[0][0] != 0;
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
fn position_of<W: Bitboard>(like: &Position, node: &Node<W>) -> Position {
    like.with_stones(node.mover.word().into(), node.other.word().into())
        .expect("a node is a position")
}

/// A position that is not over. With `alternate`, it comes from a game; without, its stones belong
/// to anybody, as the rules do not count them.
fn random_grid<W: Bitboard>(
    random: &mut Xorshift,
    layout: &BoardLayout<W>,
    alternate: bool,
) -> Position {
    let (cells, columns) = (layout.rows * layout.columns, layout.columns);
    'again: loop {
        let mut sides = [W::ZERO; 2];
        let empties = random.below(MOST_EMPTIES) + 1;
        for turn in empties..cells {
            let stone = loop {
                let column = layout.column(random.below(columns));
                let stone = layout.playable(sides[0] | sides[1]) & column;
                if !stone.is_empty() {
                    break stone;
                }
            };
            let is_quiet = |&side: &usize| !threats::has_line(layout, sides[side] | stone);
            let owner = if alternate { (cells - turn) % 2 } else { random.below(2) } as usize;
            let owners = [owner, 1 - owner];
            let owners = if alternate { &owners[..1] } else { &owners };
            let Some(&side) = owners.iter().find(|&side| is_quiet(side)) else { continue 'again };
            sides[side] |= stone;
        }
        let empty = Position::with_line(layout.rows, columns, layout.line).expect("it is allowed");
        let [mover, other] = sides.map(|side| side.word().into());
        return empty.with_stones(mover, other).expect("stones lie on each other");
    }
}

/// Draws positions until every rule has decided enough.
fn check_rules<G: BoardGeometry>(seed: u64, enough: u32, boards: &[G]) {
    let mut random = Xorshift(seed);
    // Where two moves are left to choose from, a line of three hardly ever is out of reach.
    let short = boards[0].layout().line <= 3;
    let rare = short.then_some(Rule::OutOfLines);
    let mut counts = Counts { decided: Default::default(), enough, rare };
    for (round, &geometry) in boards.iter().cycle().enumerate() {
        let position = random_grid(&mut random, &geometry.layout(), round % 4 == 0);
        check_position(geometry, &position, &mut counts);
        if counts.are_enough() {
            return;
        }
        assert!(round < 100_000_000, "{counts:?}");
    }
}

/// Boards of these sizes, for lines of `LINE`, or of `line` if that is 0.
fn boards<W: Bitboard, const LINE: u32>(sizes: &[(u32, u32)], line: u32) -> Vec<Measured<W, LINE>> {
    let board = |&(rows, columns)| Measured::new(BoardLayout::new(rows, columns, line));
    sizes.iter().map(board).collect()
}

#[test]
fn rules_hold_on_odd_heights() {
    check_rules(31, 100_000, &boards::<u64, 4>(&ODD_HEIGHTS, 4));
}

#[test]
fn rules_hold_on_even_heights() {
    check_rules(32, 100_000, &boards::<u64, 4>(&EVEN_HEIGHTS, 4));
}

#[test]
fn rules_hold_in_two_halves() {
    check_rules(33, 10_000, &boards::<Halves, 4>(&ODD_HEIGHTS, 4));
    check_rules(34, 10_000, &boards::<Halves, 4>(&EVEN_HEIGHTS, 4));
    check_rules(35, 400, &boards::<Halves, 4>(&[(9, 7), (12, 5), (15, 5)], 4));
}

#[test]
fn rules_hold_on_fixed_boards() {
    check_rules(36, 10_000, &[Fixed::<6, 7>]);
    check_rules(37, 10_000, &[Fixed::<5, 8>]);
    check_rules(38, 10_000, &[Fixed::<7, 6>]);
}

/// Other lines in both words, and in the code for any line.
fn check_line<const LINE: u32>(sizes: &[(u32, u32)]) {
    check_rules(41, 3000, &boards::<u64, LINE>(sizes, LINE));
    check_rules(42, 3000, &boards::<Halves, LINE>(sizes, LINE));
    check_rules(43, 3000, &boards::<u64, 0>(sizes, LINE));
    check_rules(44, 3000, &boards::<Halves, 0>(sizes, LINE));
}

#[test]
fn rules_hold_for_lines_of_three() {
    check_line::<3>(&[(4, 4), (5, 4)]);
}

#[test]
fn rules_hold_for_lines_of_five() {
    check_line::<5>(&[(5, 5), (6, 6), (6, 7), (7, 7)]);
}

#[test]
fn rules_hold_for_lines_of_six() {
    check_line::<6>(&[(6, 6), (7, 6), (6, 8)]);
}
