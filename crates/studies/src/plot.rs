//! Plots as SVG text: lines over versions, and stacked bars. Colours come from
//! the page's style, so that they follow light and dark; every point tells its
//! value to who points at it.

use std::fmt::Write;

use lydite_core::visible::{escape, visible};

/// One line of a plot, or one part of every bar.
pub(super) struct Series {
    /// In the legend.
    pub(super) name: String,
    /// The class that colours it.
    pub(super) class: &'static str,
    /// One per label; none where there is nothing to show.
    pub(super) values: Vec<Option<f64>>,
}

/// How values become heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// From zero on.
    Linear,
    /// By the logarithm of value + 1, so that zero has a place.
    Log,
}

/// A plot over versions.
pub(super) struct Plot<'a> {
    /// What it shows, for those who do not see it.
    pub(super) about: String,
    /// Under the horizontal axis.
    pub(super) labels: &'a [String],
    pub(super) series: Vec<Series>,
    pub(super) scale: Scale,
    /// The unit of the vertical axis.
    pub(super) unit: &'static str,
}

const WIDTH: f64 = 900.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 26.0;
const HEIGHT: f64 = 150.0;
const BELOW: f64 = 58.0;
const RIGHT: f64 = 10.0;

impl Plot<'_> {
    /// Lines with a mark at each version.
    pub(super) fn lines(&self) -> String {
        let values = self.series.iter().flat_map(|series| &series.values);
        let axis = Axis::new(values.flatten().copied(), self.scale);
        let mut svg = self.frame(&axis, &mark);
        for (number, series) in self.series.iter().enumerate() {
            let class = series.class;
            for stretch in stretches(&series.values) {
                let points: Vec<String> = stretch
                    .iter()
                    .map(|(at, value)| format!("{:.1},{:.1}", self.x(*at), axis.y(*value)))
                    .collect();
                let _ = write!(
                    svg,
                    "<polyline class=\"line {class}\" points=\"{}\"/>",
                    points.join(" ")
                );
            }
            for (at, value) in series.values.iter().enumerate() {
                let Some(value) = value else { continue };
                let shape = mark(number, self.x(at), axis.y(*value));
                let _ = write!(
                    svg,
                    "<path class=\"mark {class}\" d=\"{shape}\"><title>{}: {} {} {}</title></path>",
                    as_svg(&self.labels[at]),
                    as_svg(&series.name),
                    number_text(*value),
                    self.unit
                );
            }
        }
        svg + "</svg>"
    }

    /// Bars; several series are stacked.
    pub(super) fn bars(&self) -> String {
        let sums = (0..self.labels.len()).map(|at| {
            let parts = self.series.iter().filter_map(|series| series.values[at]);
            parts.sum::<f64>()
        });
        let axis = Axis::new(sums, Scale::Linear);
        let mut svg = self.frame(&axis, &|_, x, y| mark(SQUARE, x, y));
        let width = (self.step() * 0.7).min(40.0);
        for (at, label) in self.labels.iter().enumerate() {
            let mut below = 0.0;
            for series in &self.series {
                let Some(value) = series.values[at].filter(|value| *value > 0.0) else {
                    continue;
                };
                let (top, bottom) = (axis.y(below + value), axis.y(below));
                let _ = write!(
                    svg,
                    "<rect class=\"bar {}\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\"><title>{}: {} {} {}</title></rect>",
                    series.class,
                    self.x(at) - width / 2.0,
                    bottom - top,
                    as_svg(label),
                    as_svg(&series.name),
                    number_text(value),
                    self.unit
                );
                below += value;
            }
        }
        svg + "</svg>"
    }

    fn step(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / self.labels.len().max(1) as f64
    }

    fn x(&self, at: usize) -> f64 {
        LEFT + (at as f64 + 0.5) * self.step()
    }

    /// Axes, grid, labels and legend.
    fn frame(&self, axis: &Axis, mark: &dyn Fn(usize, f64, f64) -> String) -> String {
        let total = TOP + HEIGHT + BELOW;
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {total}\" role=\"img\" aria-label=\"{}\">",
            as_svg(&self.about)
        );
        for tick in axis.ticks() {
            let y = axis.y(tick);
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                number_text(tick)
            );
        }
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"4\" y=\"14\">{}</text>",
            self.unit
        );
        for (at, label) in self.labels.iter().enumerate() {
            let (x, y) = (self.x(at) + 3.0, TOP + HEIGHT + 12.0);
            let _ = write!(
                svg,
                "<text class=\"tick\" transform=\"translate({x:.1},{y:.1}) rotate(-50)\" text-anchor=\"end\">{}</text>",
                as_svg(label)
            );
        }
        let mut x = LEFT + 14.0;
        for (number, series) in self.series.iter().enumerate() {
            let shape = mark(number, x + 5.0, 10.0);
            let _ = write!(
                svg,
                "<path class=\"mark {}\" d=\"{shape}\"/><text class=\"tick\" x=\"{}\" y=\"14\">{}</text>",
                series.class,
                x + 14.0,
                as_svg(&series.name)
            );
            x += 30.0 + 7.0 * series.name.chars().count() as f64;
        }
        svg
    }
}

/// The vertical axis.
struct Axis {
    most: f64,
    scale: Scale,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, scale: Scale) -> Axis {
        let most = values.fold(0.0, f64::max);
        let most = match scale {
            // A plot of nothing but zeros has a height too.
            Scale::Log => most.max(10.0),
            Scale::Linear if most <= 0.0 => 1.0,
            Scale::Linear => most,
        };
        Axis { most, scale }
    }

    fn y(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => value / self.most,
            Scale::Log => (value + 1.0).ln() / (self.most + 1.0).ln(),
        };
        TOP + HEIGHT * (1.0 - share.clamp(0.0, 1.0))
    }

    /// Round values to draw the grid at.
    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Log => {
                let powers = (0..18).map(|power| 10f64.powi(power));
                let powers = powers.take_while(|power| *power <= self.most + 1.0);
                std::iter::once(0.0).chain(powers).collect()
            }
            Scale::Linear => {
                let rough = self.most / 4.0;
                let power = 10f64.powf(rough.log10().floor());
                let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
                let step = steps.into_iter().find(|step| *step >= rough);
                let step = step.unwrap_or(rough);
                let count = (self.most / step + 1e-9).floor() as u32;
                (0..=count).map(|number| f64::from(number) * step).collect()
            }
        }
    }
}

/// Neighbouring values that are there.
fn stretches(values: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut stretches = vec![Vec::new()];
    for (at, value) in values.iter().enumerate() {
        match value {
            Some(value) => stretches
                .last_mut()
                .expect("there is always one")
                .push((at, *value)),
            None => stretches.push(Vec::new()),
        }
    }
    stretches.retain(|stretch| stretch.len() > 1);
    stretches
}

/// The shape of what is filled anyway.
const SQUARE: usize = 1;

/// Shapes tell series apart where colours do not: circle, square, triangle,
/// diamond.
fn mark(number: usize, x: f64, y: f64) -> String {
    match number % 4 {
        0 => format!("M{:.1},{y:.1}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", x - 4.0),
        1 => format!("M{:.1},{:.1}h7v7h-7z", x - 3.5, y - 3.5),
        2 => format!("M{x:.1},{:.1}l4.5,8h-9z", y - 5.0),
        _ => format!("M{x:.1},{:.1}l4.5,4.5l-4.5,4.5l-4.5,-4.5z", y - 4.5),
    }
}

/// A number as short as it may be.
fn number_text(value: f64) -> String {
    let text = match value.abs() {
        size if size >= 100.0 || size == size.round() => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    };
    if let Some(thousands) = text.strip_suffix("000")
        && thousands.len() > 1
        && !text.contains('.')
    {
        return format!("{thousands}k");
    }
    text
}

/// Text as SVG takes it.
fn as_svg(text: &str) -> String {
    escape(&visible(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(labels: &[String], values: Vec<Option<f64>>, scale: Scale) -> Plot<'_> {
        Plot {
            about: "a & b".to_string(),
            labels,
            series: vec![Series {
                name: "<unsound>".to_string(),
                class: "unsound",
                values,
            }],
            scale,
            unit: "cases",
        }
    }

    #[test]
    fn names_are_escaped_and_gaps_are_left_open() {
        let labels = ["4.8\"".to_string(), "b".to_string(), "c".to_string()];
        let values = vec![Some(3.0), None, Some(5.0)];
        let lines = plot(&labels, values.clone(), Scale::Log).lines();
        assert!(lines.contains("&lt;unsound&gt;") && lines.contains("4.8&quot;"));
        assert!(!lines.contains("polyline"), "a gap on both sides: {lines}");
        assert_eq!(lines.matches("<title>").count(), 2);
        let bars = plot(&labels, values, Scale::Linear).bars();
        assert_eq!(bars.matches("<rect").count(), 2);
    }

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        for (most, scale, expected) in [
            (
                2000.0,
                Scale::Linear,
                vec![0.0, 500.0, 1000.0, 1500.0, 2000.0],
            ),
            (0.03, Scale::Linear, vec![0.0, 0.01, 0.02, 0.03]),
            (0.0, Scale::Linear, vec![0.0, 0.5, 1.0]),
            (0.0, Scale::Log, vec![0.0, 1.0, 10.0]),
            (150.0, Scale::Log, vec![0.0, 1.0, 10.0, 100.0]),
        ] {
            let ticks = Axis::new([most].into_iter(), scale).ticks();
            let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            assert!(
                ticks.len() == expected.len() && ticks.iter().zip(&expected).all(close),
                "{most}: {ticks:?}"
            );
        }
    }

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (2000.0, "2000"),
            (20000.0, "20k"),
            (0.015625, "0.016"),
            (12.34, "12.3"),
            (1234.5, "1234"),
        ];
        for (value, text) in cases {
            assert_eq!(number_text(value), text);
        }
    }
}
