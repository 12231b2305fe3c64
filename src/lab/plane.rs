//! Points of the plane that the user draws: how their text is read.

use super::kind::{Value, read_real};

/// What [`super::Kind::Points`] accepts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub labels: &'static [(f64, &'static str)],
    pub number: (usize, usize),
}

/// Reads numbers separated by commas: x and y of each point, and its label where there are labels.
///
/// # Errors
/// The nearest text that is accepted: points moved inside, with the nearest label, as many as there may be.
pub(super) fn read(text: &str, default: &str, kind: &Points) -> Result<Value, String> {
    let width = if kind.labels.is_empty() { 2 } else { 3 };
    let given: Vec<&str> = text.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
    let numbers: Vec<f64> = given.iter().filter_map(|text| read_real(text)).collect();
    let inside: Vec<[f64; 3]> =
        numbers.chunks_exact(width).map(|point| kind.nearest(point)).take(kind.number.1).collect();
    let value = if width == 2 {
        Value::Points(inside.iter().map(|p| [p[0], p[1]]).collect())
    } else {
        Value::Labelled(inside.clone())
    };
    let enough = inside.len() >= kind.number.0 || text.is_empty() && default.is_empty();
    if !enough {
        return Err(default.to_owned());
    }
    let same = inside.iter().flat_map(|point| &point[..width]).eq(&numbers);
    if same && numbers.len() == given.len() { Ok(value) } else { Err(value.to_string()) }
}

impl Points {
    /// The point as it is accepted; its label is 0 where there are none.
    fn nearest(&self, point: &[f64]) -> [f64; 3] {
        let label = point.get(2).map_or(0.0, |given| {
            let far = |label: f64| (label - given).abs();
            let nearer = |a: f64, b: f64| if far(b) < far(a) { b } else { a };
            self.labels.iter().map(|(label, _)| *label).reduce(nearer).unwrap_or_default()
        });
        [point[0].clamp(self.x.0, self.x.1), point[1].clamp(self.y.0, self.y.1), label]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn points_are_read_and_mended() {
        const LABELS: &[(f64, &str)] = &[(1.0, "+1"), (-1.0, "−1")];
        let kind = |labels| Kind::Points { x: (-2.0, 2.0), y: (0.0, 5.0), labels, number: (2, 3) };
        let read = |text: &str| kind(LABELS).read(text, "");
        assert_eq!(read(""), Ok(Value::Labelled(Vec::new())));
        let two = "0,1,1,-2,5,-1";
        assert_eq!(read(two), Ok(Value::Labelled(vec![[0.0, 1.0, 1.0], [-2.0, 5.0, -1.0]])));
        assert_eq!(read(two).unwrap().to_string(), two);
        for wrong in ["0,1,1,-3,7,-0.5", "0,1,1,-2,5,-1,2", "0,1,1,-2,5,-1,2,3", "0,1,1,-2,5,-1,x"] {
            assert_eq!(read(wrong), Err(two.to_owned()), "{wrong}");
        }
        let four = [two, two].join(",");
        assert_eq!(read(&four), Err(format!("{two},0,1,1")));
        assert_eq!(read("0,1,1"), Err(String::new()), "one is too few");
        assert_eq!(kind(&[]).read("1,2,3,4", ""), Err("1,2,2,4".to_owned()));
        assert_eq!(kind(&[]).read("1,2,2,4", ""), Ok(Value::Points(vec![[1.0, 2.0], [2.0, 4.0]])));
        assert_eq!(kind(&[]).read("", "1,2,2,4"), Err("1,2,2,4".to_owned()), "the default is not none");
    }
}
