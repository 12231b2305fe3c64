use super::*;
use crate::{Header, MissingPolicy};

fn read(text: &str) -> Table {
    Table::read(text.as_bytes()).unwrap()
}

fn set(text: &str, label: &str, positive: &str) -> Result<Dataset, ColumnError> {
    Dataset::from_table(
        &read(text),
        ColumnChoices { label, positive, ..ColumnChoices::default() },
        TargetKind::TwoClasses,
    )
}

fn error(text: &str, label: &str, positive: &str) -> ColumnError {
    set(text, label, positive).unwrap_err()
}

fn signs(set: &Dataset) -> Vec<f64> {
    (0..set.rows()).map(|i| set.sign(i)).collect()
}

#[test]
fn targets_can_be_classes_numbers_or_nothing() {
    let table = read("a,k,y\n1,u,2.5\n2,v,\n3,w,1\n4,u,7\n5,v,1\n6,w,1\n");
    let of = |label, ignore, wanted| {
        Dataset::from_table(&table, ColumnChoices { label, ignore, ..ColumnChoices::default() }, wanted)
    };
    let s = of("k", "y", TargetKind::Classes).unwrap();
    let Target::Classes { names, codes } = &s.target else { panic!("{:?}", s.target) };
    assert_eq!((names.join(""), codes.as_slice()), ("uvw".into(), &[0, 1, 2, 0, 1, 2].map(Some)[..]));
    let s = of("", "k", TargetKind::Numbers).unwrap();
    assert_eq!(s.roles[..3], [RowRole::Train, RowRole::Unlabelled, RowRole::Train]);
    assert!(matches!(&s.target, Target::Numbers(y) if y[0] == 2.5 && y[1].is_nan()));
    let s = of("", "k,y", TargetKind::NoTarget).unwrap();
    assert_eq!((s.target, s.names, s.label.as_str()), (Target::None, vec!["a".to_owned()], ""));
    let m = of("k", "", TargetKind::Numbers).unwrap_err();
    assert_eq!((m.field, m.nearest.as_deref()), ("label", Some("y")));
    let m = of("k", "y", TargetKind::TwoClasses).unwrap_err();
    assert_eq!((m.field, m.nearest.as_deref()), ("positive", Some("w")), "{}", m.accepted);
}

#[test]
fn of_several_classes_one_can_be_set_against_the_others() {
    let table = read("a,k,n\n1,u,2.5\n2,v,1\n3,w,3\n4,u,\n5,,4\n");
    let of = |label, positive, wanted| {
        let ignore = if label == "k" { "n" } else { "k" };
        Dataset::from_table(
            &table,
            ColumnChoices { label, positive, ignore, ..ColumnChoices::default() },
            wanted,
        )
    };
    for wanted in [TargetKind::TwoClasses, TargetKind::Classes] {
        let set = of("k", "v", wanted).unwrap();
        assert_eq!(
            (set.classes().join(" "), signs(&set)),
            ("other v".into(), vec![-1.0, 1.0, -1.0, -1.0, 0.0])
        );
        let m = of("k", "x", wanted).unwrap_err();
        assert_eq!((m.field, m.nearest.as_deref()), ("positive", Some("w")), "{}", m.accepted);
        // Fractions are no classes, but can be told apart where one of them is meant.
        assert_eq!(of("n", "", wanted).unwrap_err().field, "label");
        assert_eq!(signs(&of("n", "4", wanted).unwrap()), [-1.0, -1.0, -1.0, 0.0, 1.0]);
    }
    let many = (0..21).fold("a,k\n".to_owned(), |text, i| format!("{text}{i},{i}\n"));
    let m = Dataset::from_table(&read(&many), ColumnChoices::default(), TargetKind::Classes).unwrap_err();
    assert!(m.field == "label" && m.accepted.contains("up to 20"), "{}", m.accepted);
}

#[test]
fn an_ambiguous_label_or_split_is_an_error() {
    let m = error("a,b,part\n1,2.5,Train\n3,4,Test\n5,6,Train\n", "", "");
    assert_eq!((m.field, m.nearest.as_deref()), ("label", Some("part")), "{}", m.accepted);
    let chosen = set("a,b,part\n1,2.5,Train\n3,4,Test\n5,6,Train\n", "part", "Test").unwrap();
    assert_eq!((chosen.split.clone(), signs(&chosen)), (None, vec![-1.0, 1.0, -1.0]));
    let flags = "a,y,is_test\n1,0,0\n3,1,1\n5,1,0\n";
    let m = error(flags, "", "");
    assert_eq!((m.field, m.nearest.as_deref()), ("label", Some("is_test")), "{}", m.accepted);
    assert_eq!(set(flags, "is_test", "").unwrap().names, ["a", "y"]);
    let split = Dataset::from_table(
        &read(flags),
        ColumnChoices { split: "is_test", ..ColumnChoices::default() },
        TargetKind::TwoClasses,
    )
    .unwrap();
    assert_eq!((split.label.as_str(), split.of(RowRole::Test).collect::<Vec<_>>()), ("y", vec![1]));
}

#[test]
fn a_second_table_is_appended_in_the_units_of_the_first() {
    let mut s = set("c,a,y\n0,1,0\n0,3,1\n", "", "").unwrap();
    s.standardise().unwrap();
    s.append(&read("a,z\n5,u\n1,v\n"), MissingPolicy::Refuse).unwrap();
    assert_eq!((s.inputs.as_slice(), s.lines.as_slice()), (&[-1.0, 1.0, 3.0, -1.0][..], &[2, 3, 2, 3][..]));
    assert_eq!(s.roles[2..], [RowRole::Second, RowRole::Second]);
    assert_eq!((s.sign(2), s.row(3)), (0.0, &[-1.0][..]));
    assert!(s.append(&read("b,z\n5,u\n"), MissingPolicy::Refuse).is_err());
}

#[test]
fn the_last_column_is_the_label_and_the_others_are_inputs() {
    let s = set("a,b,y\n1,2,0\n3,4,1\n5,6,1\n", "", "").unwrap();
    assert_eq!(s.inputs, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(s.names, ["a", "b"]);
    assert_eq!(signs(&s), [-1.0, 1.0, 1.0]);
    assert_eq!((s.label.as_str(), s.lines.as_slice()), ("y", [2, 3, 4].as_slice()));
    assert_eq!(s.classes(), ["0", "1"]);
}

#[test]
fn a_named_label_in_the_middle() {
    let s = set("a,y,b\n1,1,2\n3,-1,4\n", "y", "").unwrap();
    assert_eq!((signs(&s), s.inputs), (vec![1.0, -1.0], vec![1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn the_positive_value_is_the_chosen_or_the_larger_one() {
    let plus = |text: &str, positive: &str| signs(&set(text, "", positive).unwrap());
    assert_eq!(plus("1,R\n2,M\n", ""), [-1.0, 1.0]);
    assert_eq!(plus("1,M\n2,R\n", ""), [1.0, -1.0]);
    assert_eq!(plus("1,M\n2,R\n", "R"), [-1.0, 1.0]);
    assert_eq!(plus("1,yes\n2,no\n", "no"), [-1.0, 1.0]);
    assert_eq!(plus("1,1\n2,2\n", "1.0"), [1.0, -1.0]);
    assert_eq!(plus("1,1\n2,0\n", "0"), [-1.0, 1.0]);
    assert_eq!(plus("1,1\n2,-0\n3,0\n", ""), [1.0, -1.0, -1.0]);
    assert_eq!(plus("1,2\n2,1\n3,1\n", ""), [1.0, -1.0, -1.0], "the larger number");
}

#[test]
fn the_default_positive_word_does_not_depend_on_the_order() {
    let plus = |a: &str, b: &str| {
        let [one, other] = [(a, b), (b, a)]
            .map(|(a, b)| set(&format!("x,y\n1,{a}\n2,{b}\n"), "", "").unwrap().classes().to_vec());
        assert_eq!(one, other, "whichever comes first");
        one[1].clone()
    };
    for (minus, yes) in
        [("well", "ill"), ("No", "Yes"), ("negative", "Positive"), ("FALSE", "TRUE"), ("B", "M"), ("-", "+")]
    {
        assert_eq!(plus(minus, yes), yes);
    }
    assert_eq!(plus("up", "down"), "up", "the later by the alphabet");
    assert_eq!(plus("cured", "ill"), "ill");
    assert_eq!(plus("unwell", "well"), "unwell", "one of them says no");
}

#[test]
fn errors_name_the_field_and_the_nearest_value() {
    let m = error("a,y\n1,yes\n2,no\n", "", "perhaps");
    assert_eq!((m.field, m.given.as_str(), m.nearest.as_deref()), ("positive", "perhaps", Some("yes")));
    assert!(m.accepted.contains("no or yes"));
    assert_eq!(error("a,y\n1,0\n2,1\n", "", "2").nearest.unwrap(), "1");
    let m = error("a,y\n1,0\n2,1\n", "z", "");
    assert_eq!((m.field, m.accepted.as_str()), ("label", "one of the columns a, y"));
    let m = error("k,a,y\n0,1,0\n1,2,1\n1,2,2\n", "", "");
    assert_eq!((m.field, m.given.as_str(), m.nearest.as_deref()), ("label", "y", Some("a")));
    assert!(m.accepted.ends_with("this one has 0, 1, 2"));
    assert_eq!(error("a,y\n1,1\n2,1\n", "", "").field, "label");
}

#[test]
fn columns_can_be_ignored() {
    let table = read("a,split,y,note\n1,train,0,u\n2,test,1,v\n");
    let without = |ignore| {
        Dataset::from_table(
            &table,
            ColumnChoices { ignore, ..ColumnChoices::default() },
            TargetKind::TwoClasses,
        )
    };
    let s = without(" split ,note,").unwrap();
    assert_eq!((s.names, s.label.as_str(), s.split), (vec!["a".to_owned()], "y", None));
    let m = without("split,nota").unwrap_err();
    assert_eq!((m.field, m.given.as_str(), m.nearest.as_deref()), ("ignore", "nota", Some("split")));
    assert_eq!(without("a,split,note").unwrap_err().field, "data");
}

#[test]
fn a_name_with_a_comma_can_be_ignored_in_quotes() {
    let table = read("\"a,b\",c,d,y\n1,2,3,0\n3,4,5,1\n");
    let without = |ignore: &str| {
        Dataset::from_table(
            &table,
            ColumnChoices { ignore, ..ColumnChoices::default() },
            TargetKind::TwoClasses,
        )
    };
    for list in ["\"a,b\"", " c, \"a,b\" ", "\"a,b\",c,", "\"a,b\" ,c"] {
        assert!(!without(list).unwrap().names.contains(&"a,b".to_owned()), "{list}");
    }
    assert_eq!(without("\"c\"").unwrap().names, ["a,b", "d"]);
    let m = without("a,b").unwrap_err();
    assert_eq!((m.given.as_str(), m.accepted.as_str()), ("a", "some of the columns \"a,b\", c, d, y"));
    let nearest = without("\"a,b\",z,c").unwrap_err().nearest.unwrap();
    assert_eq!(without(&nearest).unwrap().names, ["d"]);
}

#[test]
fn a_doubtful_header_is_asked_about() {
    let table = read("0.5,1,y\n1,2,0\n3,2,1\n");
    assert_eq!(table.header, Header::Doubtful("y".into()));
    let m = Dataset::from_table(&table, ColumnChoices::default(), TargetKind::TwoClasses).unwrap_err();
    assert_eq!((m.field, m.nearest.as_deref()), ("header", Some("yes")));
    assert_eq!(read("0,1\n1,0\n2,1\n3,1\n").header, Header::None);
    assert_eq!(read("1,R\n2,M\n").header, Header::None);
    assert_eq!(read("a,b\n1,0\n").header, Header::Found);
}

#[test]
fn rows_without_a_label_are_predicted() {
    let partly = |text: &str| {
        let s = set(text, "", "").unwrap();
        (signs(&s), s.of(RowRole::Unlabelled).collect::<Vec<_>>())
    };
    assert_eq!(partly("a,y\n1,0\n2,\n3,1\n"), (vec![-1.0, 0.0, 1.0], vec![1]));
    assert_eq!(partly("a,y\n1,M\n2,?\n3,R\n"), (vec![1.0, 0.0, -1.0], vec![1]));
}

#[test]
fn inputs_of_a_second_table_are_found_by_name() {
    let trained = set("a,b,y\n1,2,0\n3,4,1\n", "", "").unwrap();
    let appended = |text: &str, missing: MissingPolicy| {
        let mut both = trained.clone();
        both.means = vec![2.0, 3.0];
        both.append(&read(text), missing).map(|()| both.inputs[4..].to_vec()).map_err(|m| m.accepted)
    };
    let inputs = |text: &str| appended(text, MissingPolicy::Refuse);
    assert_eq!(inputs("note,b,y,a\nu,2,,1\nv,4,1,3\n").unwrap(), [1.0, 2.0, 3.0, 4.0]);
    let why = inputs("a,c\n1,2\n").unwrap_err();
    assert!(why.contains("input columns a, b is needed; column “b” is not in this one"), "{why}");
    assert!(inputs("a,b\n1,2\n,3\n").unwrap_err().starts_with("Row 3, column “a” is missing"));
    assert!(inputs("a,b\n1,2\n1,2o\n").unwrap_err().starts_with("row 3, column “b” is “2o”"));
    assert_eq!(appended("a,b\n1,2\n,3\n", MissingPolicy::Skip).unwrap(), [1.0, 2.0]);
    assert_eq!(appended("a,b\n1,2\n,5\n", MissingPolicy::Impute).unwrap(), [1.0, 2.0, 2.0, 5.0]);
}

#[test]
fn missing_and_invalid_cells_are_located_by_row_and_column() {
    let m = error("a,b,y\n1,2,0\n\n1,,1\n", "", "");
    assert_eq!((m.field, m.nearest.as_deref()), ("missing", Some("impute")));
    assert!(m.accepted.ends_with("the first in row 4, column “b”"), "{}", m.accepted);
    let m = error("a,b,y\n1,2,0\n1,2o,1\n", "", "");
    assert_eq!((m.field, m.nearest.as_deref()), ("na", Some("2o")));
    assert!(m.accepted.contains("Row 3, column “b” is “2o”"), "{}", m.accepted);
    let m = error("a,city,y\n1,Bonn,0\n2,Aachen,1\n3,-999,1\n4,Bonn,0\n", "", "");
    assert_eq!((m.field, m.nearest.as_deref()), ("na", Some("-999")), "a code among words");
    assert!(error("a,b,y\n?,1,0\n?,2,1\n", "", "").accepted.contains("column “a” is empty"));
}
