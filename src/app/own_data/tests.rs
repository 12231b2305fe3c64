use super::*;
use crate::data::{Facts, Hash, Header, Reading, SourceLine, TableFacts};

fn fields() -> [Field; 8] {
    let field = |key, kind, role| Field { label: key, role, ..Field::new(key, kind, "") };
    let text = Kind::Text { most: 99 };
    [
        field("data", Kind::Data, Role::Data),
        field("label", text, Role::Label),
        field("positive", text, Role::Positive),
        field("ignore", text, Role::Ignored),
        field("split", text, Role::Split),
        field("weights", text, Role::PerColumn),
        field("rate", text, Role::Setting),
        field("more", Kind::Data, Role::SecondData),
    ]
}

fn raw(pairs: &[(&str, &str)]) -> Raw {
    pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

fn column(name: &str, values: &[&str]) -> ColumnFacts {
    let values = values.iter().map(|value| (*value).into()).collect();
    ColumnFacts { name: name.into(), kind: ColumnKind::Text, missing: 0, values, counts: vec![] }
}

#[test]
fn another_file_of_the_name_in_a_link_is_told() {
    let given = |name: &str, bytes: &[u8]| DataRef { name: name.into(), hash: Some(Hash::of(bytes)) };
    let a = given("a.csv", b"a");
    let told = |before: &str| {
        let mut form = raw(&[("data", before), ("label", "y")]);
        let notice = take(&mut form, "data", &a);
        assert_eq!(form, raw(&[("data", &a.to_string()), ("label", "y")]));
        notice.is_some()
    };
    assert!(!told(&a.to_string()), "the file of the link");
    assert!(!told("a.csv"), "any file of that name");
    assert!(told(&given("a.csv", b"b").to_string()), "changed since");
    assert!(!told("b.csv") && !told(""), "another file, chosen");
}

#[test]
fn of_another_table_only_what_it_lacks_is_dropped() {
    let columns = [column("a", &[]), column("c,d", &[]), column("y", &["no", "yes"])];
    let before = ["a".to_owned(), "b".to_owned()];
    let fit = |pairs: &[(&str, &str)], before: Option<&[String]>| {
        let mut form = raw(pairs);
        let notice = fit(&fields(), &mut form, &columns, before);
        form.retain(|_, text| !text.is_empty());
        (form, notice)
    };
    let fine =
        [("label", "y"), ("positive", "yes"), ("ignore", "\"c,d\""), ("rate", "7"), ("weights", "1,2")];
    assert_eq!(fit(&fine, None), (raw(&fine), None));
    let (form, notice) = fit(
        &[
            ("label", "z"),
            ("positive", "ill"),
            ("ignore", "b,a,\"c,d\""),
            ("split", "s"),
            ("rate", "7"),
            ("weights", "1,2"),
        ],
        Some(&before),
    );
    assert_eq!(form, raw(&[("ignore", "a,\"c,d\""), ("rate", "7")]));
    let notice = notice.unwrap();
    for lacking in ["label “z”", "positive “ill”", "ignore “b”", "split “s”", "weights “1,2”"]
    {
        assert!(notice.contains(lacking), "{notice}");
    }
    // A value of another column than the label.
    assert_eq!(fit(&[("label", "a"), ("positive", "yes")], None).0, raw(&[("label", "a")]));
}

#[test]
fn a_preset_keeps_the_data_but_for_its_own() {
    let keep = |preset: &[(&str, &str)]| {
        let mut preset = raw(preset);
        keep(
            &fields(),
            &raw(&[("data", "a.csv@0123456789abcdef"), ("label", "y"), ("rate", "7")]),
            &mut preset,
        );
        preset
    };
    assert_eq!(keep(&[("label", "z")]), raw(&[("data", "a.csv@0123456789abcdef"), ("label", "z")]));
    assert_eq!(keep(&[("data", "a.csv")]), raw(&[("data", "a.csv@0123456789abcdef"), ("label", "y")]));
    assert_eq!(keep(&[("data", "b.csv")]), raw(&[("data", "b.csv")]));
    let mut preset = Raw::new();
    let second = ("more", "b.csv");
    super::keep(&fields(), &raw(&[("data", "a.csv"), second]), &mut preset);
    assert_eq!(preset, raw(&[("data", "a.csv"), second]), "the second file stays as well");
    preset.clear();
    super::keep(&fields(), &raw(&[("label", "y")]), &mut preset);
    assert!(preset.is_empty(), "without data there is nothing to keep");
}

#[test]
fn a_preset_keeps_the_artefact() {
    let field = |key, kind, role| Field { role, ..Field::new(key, kind, "") };
    let fields =
        [field("net", Kind::Data, Role::Artefact("x.net")), field("rate", Kind::Flag, Role::Setting)];
    let artefact = DataRef::file("mine.bin", b"4").to_string();
    let mut preset = raw(&[("rate", "true")]);
    keep(&fields, &raw(&[("net", &artefact), ("epochs", "3")]), &mut preset);
    assert_eq!(preset, raw(&[("net", &artefact), ("rate", "true")]));
}

#[test]
fn columns_and_values_are_offered_as_the_solver_takes_them() {
    let columns = [
        column("x", &[]),
        column("k", &["a", "b"]),
        column("y", &["0", "1"]),
        column("part", &["Test", "Train"]),
    ];
    let fields = fields();
    let offered = |pairs: &[(&str, &str)], key: &str| {
        let field = fields.iter().find(|field| field.key == key).unwrap();
        let FieldChoices { texts, default } = options(&columns, &fields, &raw(pairs), field);
        (texts.join(" "), default.unwrap_or_default())
    };
    let is = |texts: &str, default: &str| (texts.to_owned(), default.to_owned());
    assert_eq!(offered(&[], "label"), is("x k y part", "y"), "the split is no label");
    assert_eq!(offered(&[("label", "z")], "label"), is("x k y part z", "y"));
    assert_eq!(offered(&[], "split"), is("x k y part", "part"));
    assert_eq!(offered(&[("label", "part")], "split"), is("x k y part", "none"));
    assert_eq!(offered(&[], "positive"), is("0 1", "1"));
    assert_eq!(offered(&[("label", "k")], "positive"), is("a b", "b"));
    assert_eq!(offered(&[("ignore", "y")], "positive"), is("a b", "b"));
    assert_eq!(offered(&[("label", "x"), ("positive", "c")], "positive"), is("", ""));
    assert_eq!(offered(&[], "rate"), is("", ""));
}

#[test]
fn the_preview_of_a_table_has_its_first_and_last_lines() {
    let column = ColumnFacts {
        name: "<b>".into(),
        kind: ColumnKind::Text,
        missing: 2,
        values: vec![],
        counts: vec![],
    };
    let facts = TableFacts {
        rows: 1,
        header: Header::Doubtful("y".into()),
        reading: Reading { rows: 1, columns: 1, ..Reading::default() },
        doubts: vec![],
        remarks: vec!["One line is a comment.".into()],
        repairs: vec![],
        columns: vec![column],
        excerpt: vec![
            SourceLine { line: 1, source: "<b>".into(), cells: vec!["<b>".into()] },
            SourceLine { line: 90, source: " i".into(), cells: vec!["i".into()] },
            SourceLine { line: 91, source: "# end".into(), cells: vec![] },
        ],
    };
    let facts = Facts { hash: Hash::of(b""), content: FileContent::Table(facts) };
    let Preview::Table { size, read_as, remarks, head, rows, .. } = preview("a&b", &FileState::Read(facts))
    else {
        panic!("a table")
    };
    assert_eq!(
        (size.as_str(), head.join("|")),
        ("a&b: 1 row × 1 column", "line|text of the line|<b>".to_owned())
    );
    let rows: Vec<String> = rows.iter().map(|row| row.join("|")).collect();
    assert_eq!(rows, ["||text, 2 missing", "1|<b>|<b>", "…", "90| i|i", "91|# end"]);
    assert!(read_as.starts_with("Read as: 1 row × 1 column, "));
    assert!(remarks[0].contains("“y” in the first row") && remarks.len() == 2);
}

#[test]
fn the_first_rows_of_a_table_stand_under_the_names_of_its_columns() {
    let lines: Vec<String> = (0..9).map(|i| format!("{i},x{i}")).collect();
    let (head, rows) = first_rows(format!("a,b\n{}\n", lines.join("\n")).as_bytes()).unwrap();
    assert_eq!(head, ["a", "b"]);
    assert_eq!((rows.len(), &rows[4][..]), (5, &["4".to_owned(), "x4".to_owned()][..]));
}

#[test]
fn a_preset_says_which_file_it_needs() {
    let needed = |query: &str| needs(&fields(), query).map(|set| set.name);
    assert_eq!(needed("data=sonar&rate=1"), Some("sonar"));
    assert_eq!([needed("data=example"), needed("data=own.csv"), needed("rate=1")], [None; 3]);
}
