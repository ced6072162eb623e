//! Renamings of *k* interchangeable variables, by how many they leave in
//! place.

use lydite_core::BigUint;

/// Row *k* of the table says how many of the *k*! permutations of *k* things
/// leave exactly *j* of them in place (the rencontres numbers).
pub(super) struct Renamings {
    rows: Vec<Vec<BigUint>>,
    factorials: Vec<BigUint>,
}

impl Renamings {
    /// For classes of up to `largest` variables.
    pub(super) fn new(largest: usize) -> Renamings {
        let mut factorials = vec![BigUint::ONE];
        let mut rows = vec![vec![BigUint::ONE]];
        for k in 1..=largest {
            factorials.push(&factorials[k - 1] * BigUint::from(k));
            // C(k, j) D(k-j) = C(k-1, j-1) D(k-j) * k / j: from the row before.
            let mut row = vec![BigUint::ZERO; k + 1];
            for j in 1..=k {
                row[j] = &rows[k - 1][j - 1] * BigUint::from(k) / BigUint::from(j);
            }
            let some: BigUint = row.iter().sum();
            row[0] = &factorials[k] - some;
            rows.push(row);
        }
        Renamings { rows, factorials }
    }

    /// How many renamings of `k` variables leave 0, 1, … `k` in place.
    pub(super) fn in_place(&self, k: usize) -> &[BigUint] {
        &self.rows[k]
    }

    /// `k`!
    pub(super) fn all(&self, k: usize) -> &BigUint {
        &self.factorials[k]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_of_four_leave_so_many_in_place() {
        let renamings = Renamings::new(6);
        let row: Vec<String> = renamings
            .in_place(4)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(row, ["9", "8", "6", "0", "1"]);
        for k in 0..=6 {
            let sum: BigUint = renamings.in_place(k).iter().sum();
            assert_eq!(sum, *renamings.all(k));
        }
    }
}
