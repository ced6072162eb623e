//! Where a campaign spends its time: rounds, what was measured, and the schedule
//! that is drawn up from it.
//!
//! A campaign is a sequence of rounds of fixed length ([`Round`]). The first one
//! draws every case as the plan says. Before each later one a schedule is drawn
//! up ([`draw_up()`]) from the cases that are stored ([`Statistics`]), and stored
//! itself. Case *i* depends on the plan, the schedule of its round, and *i* alone.
//! Times differ from machine to machine, and so do schedules; that is why a
//! schedule is data and every case names its own.
//!
//! # The bandit
//!
//! What a strategy decides by [`lydite_core::Choices::arm`] (the seed, the length
//! of a chain), the strategy itself and the options of a target are *arms*. What
//! an arm is worth is the rate of news per CPU second: signatures and behaviours
//! (which targets answered what, and which did not) that nobody had seen. News
//! arrive by chance at some rate, so its posterior is a Gamma distribution
//! (Poisson counts, conjugate prior), and Thompson sampling draws one rate per
//! arm and prefers the largest. A round has many cases and its feedback comes at
//! its end, so it plays the better half of the arms instead of one: Thompson
//! sampling with multiple plays (Komiyama, Honda and Nakagawa, ICML 2015). Cost is in the
//! rate, so no arm has to be given up by a rule of its own: what burns time and
//! brings nothing sinks. Arms that were never played are played first. Those that
//! are played get the same CPU time each, so cheap arms get more cases, and
//! three hundredths of the time go to all arms alike, so nothing starves.
//!
//! # The budget
//!
//! Runs that are cut off tell nothing, and a few of them take most of the time. So
//! their share of the time is a constraint of the bandit, not a matter of well-chosen
//! limits. What an arm will lose is forecast from the curve of its times (`times.rs`). Arms
//! that lose too much are mixed with arms that lose little until the mixture keeps to the
//! budget (a bandit with a knapsack, Badanidiyuru, Kleinberg and Slivkins, FOCS 2013). What
//! was really lost corrects the budget of the next round.
//!
//! Decisions of one case are bandits of their own that share the reward; that
//! they act together is neglected, as there is no time to try all combinations.

mod draw_up;
mod gamma;
mod round;
mod share;
#[cfg(test)]
mod simulation;
mod statistics;
mod times;
mod weigh;

pub use draw_up::{PlanFacts, draw_up};
pub use round::Round;
pub use share::{RunEnd, SeedCost, UnchangedRun};
pub use statistics::Statistics;
pub use times::spared;
