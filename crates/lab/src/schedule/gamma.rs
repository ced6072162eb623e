//! Draws from a Gamma distribution, by the method of Marsaglia and Tsang (2000).

use lydite_core::Choices;

/// A draw with this shape, at least 1, and this rate.
pub(super) fn draw(choices: &mut Choices, shape: f64, rate: f64) -> f64 {
    let d = shape.max(1.0) - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    // A draw is refused in one case of twenty at the most.
    for _ in 0..1000 {
        let x = normal(choices);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && uniform(choices).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v / rate;
        }
    }
    shape / rate
}

/// A number above 0, at most 1.
fn uniform(choices: &mut Choices) -> f64 {
    const PARTS: u64 = 1 << 53;
    // Only a tape can end.
    let drawn = choices.below(PARTS).unwrap_or_default();
    (drawn + 1) as f64 / PARTS as f64
}

/// A draw from the normal distribution (Box and Muller).
fn normal(choices: &mut Choices) -> f64 {
    let radius = (-2.0 * uniform(choices).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(choices)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_are_those_of_the_distribution() {
        for (shape, rate) in [(1.0, 2.0), (4.5, 0.5), (300.0, 10.0)] {
            let mut choices = Choices::seeded(1, 0);
            let draws: Vec<f64> = (0..20_000)
                .map(|_| draw(&mut choices, shape, rate))
                .collect();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance =
                draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            assert!((mean / (shape / rate) - 1.0).abs() < 0.05, "{mean}");
            assert!(
                (variance / (shape / rate / rate) - 1.0).abs() < 0.1,
                "{variance}"
            );
        }
    }
}
