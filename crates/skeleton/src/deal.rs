//! Cases of many seeds in turn: the first of every seed, then the second of
//! every seed that has one, and so on. A campaign that is stopped early has
//! then seen something of every seed.

use lydite_core::BigUint;

/// The order of the cases of seeds that have so many each.
pub(crate) struct Deal {
    /// Seeds by their number of cases, smallest first.
    order: Vec<usize>,
    /// For each place in `order` where the number grows: the number of
    /// cases before all seeds from here on reach it.
    steps: Vec<Step>,
    len: BigUint,
}

/// A stretch of rounds that the same seeds take part in.
struct Step {
    /// The first index of the stretch.
    first: BigUint,
    /// The first round.
    round: u64,
    /// The seeds from this place of the order on take part.
    place: usize,
}

impl Deal {
    pub(crate) fn new(cases: &[u64]) -> Deal {
        let mut order: Vec<usize> = (0..cases.len()).filter(|&seed| cases[seed] > 0).collect();
        order.sort_by_key(|&seed| cases[seed]);
        let mut steps = Vec::new();
        let (mut first, mut round) = (BigUint::ZERO, 0);
        for (place, &seed) in order.iter().enumerate() {
            if cases[seed] > round {
                steps.push(Step {
                    first: first.clone(),
                    round,
                    place,
                });
                let players = BigUint::from(order.len() - place);
                first += BigUint::from(cases[seed] - round) * players;
                round = cases[seed];
            }
        }
        Deal {
            order,
            steps,
            len: first,
        }
    }

    /// How many cases there are in all.
    pub(crate) fn len(&self) -> &BigUint {
        &self.len
    }

    /// The seed and the number of its case at `index`.
    pub(crate) fn at(&self, index: &BigUint) -> Option<(usize, u64)> {
        if *index >= self.len {
            return None;
        }
        let step = self.steps.partition_point(|step| step.first <= *index) - 1;
        let Step {
            first,
            round,
            place,
        } = &self.steps[step];
        let players = BigUint::from(self.order.len() - place);
        let within = index - first;
        let turn = usize::try_from(&within % &players).expect("below the number of seeds");
        let round = round + u64::try_from(&within / &players).expect("below a number of cases");
        Some((self.order[place + turn], round))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_of_every_seed_comes_once_in_rounds() {
        for cases in [vec![3, 0, 1, 2], vec![], vec![0, 0], vec![5], vec![2, 2, 7]] {
            let deal = Deal::new(&cases);
            let total: u64 = cases.iter().sum();
            assert_eq!(*deal.len(), BigUint::from(total));
            let dealt: Vec<(usize, u64)> = (0..total)
                .map(|index| deal.at(&BigUint::from(index)).unwrap())
                .collect();
            assert!(dealt.is_sorted_by_key(|(_, round)| *round), "{dealt:?}");
            let mut sorted = dealt.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len() as u64, total);
            assert!(sorted.iter().all(|(seed, round)| *round < cases[*seed]));
            assert_eq!(deal.at(&BigUint::from(total)), None);
        }
    }
}
