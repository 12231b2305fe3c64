//! Invalid settings.

use super::*;

#[test]
fn an_error_names_its_field_and_the_nearest_valid_value() {
    let text = table(12);
    let problem = |text: &str, pairs: Pairs| run(text, pairs).unwrap_err();
    let nearest = |problem: InputError| (problem.field, problem.nearest.unwrap_or_default());
    let is = |field: &str, nearest: &str| (field.to_owned(), nearest.to_owned());
    assert_eq!(nearest(problem(&text, &[("ard", "1,2")])), is("ard", "1,1,1"));
    assert_eq!(nearest(problem(&text, &[("split", "part")])), is("split", ""));
    assert_eq!(problem(&text, &[("split", "a")]).field, "split");
    solved(&text, &[("train_fraction", "0.05")]); // One row of each class.
    assert_eq!(problem(&text, &[("label", "c")]).field, "label");
    let one_class = "a,part,y\n1,train,1\n2,train,1\n3,test,0\n";
    let found = problem(one_class, &[]);
    assert_eq!((found.field.as_str(), found.given.as_str(), found.nearest), ("split", "part", None));
    assert!(found.expected.contains("“part”"));
    assert_eq!(nearest(problem(one_class, &[("split", "part")])), is("split", ""));
    solved(one_class, &[("ignore", "part")]);
    let hole = problem("a,part,y\n1,train,1\n2,,0\n3,test,0\n", &[]);
    assert_eq!((hole.given.as_str(), hole.nearest), ("part", None));
    let spec = Checked::<TableSpec>::new(&Raw::new()).unwrap();
    assert_eq!(UserTable::prepare(&spec, &Store::default(), None).err().unwrap()[0].field, "data");
}

#[test]
fn incompatible_settings_are_rejected() {
    let field = |pairs: Pairs| {
        let raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
        Checked::<TableSpec>::new(&raw).unwrap_err().into_iter().map(|p| p.field).collect::<Vec<_>>()
    };
    assert_eq!(field(&[("method", "laplace"), ("v", "0")]), ["v"]);
    assert_eq!(field(&[("method", "naive"), ("fit", "evidence")]), ["fit"]);
    assert_eq!(field(&[("method", "laplace"), ("fit", "loo")]), ["fit"]);
    assert_eq!(field(&[("ard", "1,0"), ("fit", "loo")]), ["ard"]);
}
