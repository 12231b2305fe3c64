//! The sonar data, `sonar.csv` in the folder `MEANFIELD_DATA`.

use super::needs::data_set;

/// Labelled inputs of the aspect-angle split, standardised by the training rows.
pub struct Sonar {
    /// 104 rows of 60 inputs.
    pub train: Vec<Vec<f64>>,
    /// ±1.
    pub train_labels: Vec<f64>,
    /// Another 104 rows.
    pub test: Vec<Vec<f64>>,
    /// ±1.
    pub test_labels: Vec<f64>,
}

/// Reads the data; `None` without them.
pub fn sonar() -> Option<Sonar> {
    let text = std::fs::read_to_string(data_set("sonar.csv")?).unwrap();
    let mut rows: [Vec<(Vec<f64>, f64)>; 2] = Default::default();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let inputs = cells[..60].iter().map(|cell| cell.parse().unwrap()).collect();
        let label = if cells[60] == "M" { 1.0 } else { -1.0 };
        rows[usize::from(cells[61] == "test")].push((inputs, label));
    }
    let m = rows[0].len() as f64;
    let units: Vec<(f64, f64)> = (0..60)
        .map(|j| {
            let mean = rows[0].iter().map(|(x, _)| x[j]).sum::<f64>() / m;
            let var = rows[0].iter().map(|(x, _)| (x[j] - mean).powi(2)).sum::<f64>() / m;
            (mean, var.sqrt())
        })
        .collect();
    let standard = |rows: &[(Vec<f64>, f64)]| -> (Vec<Vec<f64>>, Vec<f64>) {
        let scale = |x: &Vec<f64>| x.iter().zip(&units).map(|(x, (mean, sd))| (x - mean) / sd).collect();
        rows.iter().map(|(x, label)| (scale(x), *label)).unzip()
    };
    let ((train, train_labels), (test, test_labels)) = (standard(&rows[0]), standard(&rows[1]));
    assert_eq!((train.len(), test.len()), (104, 104));
    Some(Sonar { train, train_labels, test, test_labels })
}
