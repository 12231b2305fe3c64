//! A person's own data on the page: which file the form names, and what can be chosen once it is read.

use super::html::{cells, table};
use super::pool::Stage;
use crate::data::{ColumnFacts, ColumnKind, Content, DataRef, TableFacts};
use crate::lab::{Field, Group, Kind, Preset, Raw, only};
use crate::render::escape;

/// Largest file taken, in bytes.
pub const LARGEST: f64 = 64e6;

/// Keys of the fields that take a data set; the first is the main one, whose columns other fields name.
pub fn keys(fields: &[Field]) -> impl Iterator<Item = &'static str> {
    fields.iter().filter(|field| field.kind == Kind::Data).map(|field| field.key)
}

/// The data set that a form names in the field of that key.
pub fn named(raw: &Raw, key: &str) -> Option<DataRef> {
    raw.get(key).and_then(|text| DataRef::parse(text.trim()))
}

/// The form with another data set in the field of that key: columns of one main table mean nothing in another, unless it
/// is the one that was named. Says so where a link named a file of that name with other contents.
pub fn take(fields: &[Field], raw: &mut Raw, key: &str, given: &DataRef) -> Option<String> {
    let before = named(raw, key);
    raw.insert(key.to_owned(), given.to_string());
    let before = before?;
    let same_name = before.name == given.name;
    let any_of_that_name = same_name && before.content().is_none();
    if before.content() == given.content() || any_of_that_name {
        return None;
    }
    if keys(fields).next() == Some(key) {
        *raw = only(std::mem::take(raw), |key| {
            fields.iter().any(|f| f.key == key && !matches!(f.kind, Kind::Text { .. } | Kind::Reals { .. }))
        });
    }
    if !same_name {
        return None;
    }
    let (name, now, wanted) = (&given.name, given.hash?, before.hash?);
    Some(format!("This {name} is another than the one asked for: its hash is {now}, not {wanted}."))
}

/// A preset keeps the data set that the form names and what is said of its rows and columns, unless it is for another one.
pub fn keep(fields: &[Field], before: &Raw, preset: &mut Raw) {
    let Some(key) = keys(fields).next() else { return };
    let Some(now) = named(before, key) else { return };
    let wanted = named(preset, key);
    if wanted.is_some_and(|wanted| wanted.name != now.name) {
        return;
    }
    for field in fields.iter().filter(|field| field.group == Group::Problem) {
        if let Some(text) = before.get(field.key)
            && (field.key == key || !preset.contains_key(field.key))
        {
            preset.insert(field.key.to_owned(), text.clone());
        }
    }
}

/// The preset for the table that comes with the page.
pub fn example(presets: &[Preset]) -> Option<&Preset> {
    presets.iter().find(|preset| preset.query.starts_with("data=example&"))
}

/// The two ways to begin, as markup.
pub fn beginning(example: Option<&Preset>) -> String {
    let button =
        |what: &str, words: &str| format!("<button type=\"button\" data-do=\"{what}\">{words}</button>");
    let example = example.map_or(String::new(), |preset| {
        format!("<p>{}</p>{}", escape(preset.help), button("example", "Try the example"))
    });
    format!(
        "<p>A table of numbers with one column of two values, which is to be learnt. It stays in this browser: nothing is \
         sent anywhere.</p>{}{example}",
        button("choose", "Choose a CSV file")
    )
}

/// What a field of text can be: `label` and `split` name a column, `positive` one of the label's two values; other fields are
/// free.
pub fn options(facts: &TableFacts, raw: &Raw, key: &str) -> Vec<String> {
    let text = |key| raw.get(key).map_or("", String::as_str);
    let mut options = Vec::new();
    match key {
        "label" | "split" => options.extend(facts.columns.iter().map(|column| column.name.clone())),
        "positive" => {
            // The column that says which rows are for training is no label.
            let split = |column: &&ColumnFacts| {
                column.name == text("split") || column.values.iter().any(|word| word == "train")
            };
            let last = facts.columns.iter().rfind(|column| !split(column));
            let label = facts.columns.iter().find(|column| column.name == text("label"));
            options.extend(label.or(last).iter().flat_map(|column| column.values.iter().cloned()));
        }
        _ => {}
    }
    // What a link says stays to be seen, even if it is wrong.
    if !(options.is_empty() || text(key).is_empty() || options.iter().any(|option| option == text(key))) {
        options.push(text(key).to_owned());
    }
    options
}

/// What is known of a file, as markup.
pub fn preview(name: &str, stage: &Stage) -> String {
    let facts = match stage {
        Stage::Waiting | Stage::Reading => return "<p>Reading the file …</p>".to_owned(),
        Stage::Rejected(problem) => {
            return cells("p class=\"problem\"", [format!("{name} could not be read: {problem}.").as_str()]);
        }
        Stage::Known(facts) => facts,
    };
    let facts = match &facts.content {
        Content::Table(table) => table,
        Content::Images { count, rows, columns } => {
            return cells("p", [format!("{name}: {count} images of {rows} × {columns} pixels").as_str()]);
        }
        Content::Labels { count, classes } => {
            return cells("p", [format!("{name}: {count} labels, {classes} classes").as_str()]);
        }
        Content::Artefact { kind, .. } => return cells("p", [format!("{name}: {kind}").as_str()]),
    };
    let rows = if facts.rows == 1 { "1 row".to_owned() } else { format!("{} rows", facts.rows) };
    let size = format!("{name}: {rows} × {} columns", facts.columns.len());
    let head = cells("th scope=\"col\"", facts.columns.iter().map(|column| column.name.as_str()));
    let kinds: Vec<String> = facts.columns.iter().map(kind).collect();
    let row = |texts: &Vec<String>| format!("<tr>{}</tr>", cells("td", texts.iter().map(String::as_str)));
    let rows: Vec<String> = std::iter::once(&kinds).chain(&facts.head).map(row).collect();
    let remark = facts.header.remark();
    let remark = cells("p class=\"remark\"", remark.iter().map(String::as_str));
    format!(
        "{remark}<details class=\"preview\" open>{}<div class=\"scroll\" tabindex=\"0\" role=\"region\" \
         aria-label=\"First rows\">{}</div></details>",
        cells("summary", [size.as_str()]),
        table("", &head, &rows)
    )
}

/// What a column holds, in a few words.
fn kind(column: &ColumnFacts) -> String {
    let holds = match column.kind {
        ColumnKind::Numeric { min, max, .. } => format!("{min} to {max}"),
        ColumnKind::Text => "text".to_owned(),
    };
    if column.missing == 0 { holds } else { format!("{holds}, {} missing", column.missing) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Facts, Hash, Header};

    fn field(key: &'static str, kind: Kind) -> Field {
        Field::new(key, kind, "")
    }

    fn fields() -> [Field; 4] {
        [
            field("data", Kind::Data),
            field("label", Kind::Text { most: 9 }),
            field("fields", Kind::Flag),
            field("more", Kind::Data),
        ]
    }

    fn raw(pairs: &[(&str, &str)]) -> Raw {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn another_table_has_other_columns() {
        let given = |name: &str, bytes: &[u8]| DataRef { name: name.into(), hash: Some(Hash::of(bytes)) };
        let after = |before: &str, given: &DataRef| {
            let mut form = raw(&[("data", before), ("label", "y"), ("fields", "true")]);
            let notice = take(&fields(), &mut form, "data", given);
            assert_eq!(
                (form["data"].as_str(), form["fields"].as_str()),
                (given.to_string().as_str(), "true")
            );
            (form.contains_key("label"), notice.is_some())
        };
        let a = given("a.csv", b"a");
        assert_eq!(after(&a.to_string(), &a), (true, false), "the file of the link");
        assert_eq!(after("a.csv", &a), (true, false), "any file of that name");
        assert_eq!(after(&given("a.csv", b"b").to_string(), &a), (false, true), "changed since");
        assert_eq!(after("b.csv", &a), (false, false), "another file");
        assert_eq!(after("", &a), (true, false), "a label that was there first");
    }

    #[test]
    fn a_second_file_clears_nothing_and_stays_with_another_table() {
        let given = |name: &str, bytes: &[u8]| DataRef { name: name.into(), hash: Some(Hash::of(bytes)) };
        let (a, b) = (given("a.csv", b"a"), given("b.csv", b"b"));
        let mut form = raw(&[("data", "a.csv"), ("label", "y")]);
        for second in [&b, &a] {
            assert_eq!(take(&fields(), &mut form, "more", second), None);
            assert_eq!(form, raw(&[("data", "a.csv"), ("label", "y"), ("more", &second.to_string())]));
        }
        assert!(take(&fields(), &mut form, "more", &given("a.csv", b"b")).is_some(), "changed since");
        assert_eq!((form["data"].as_str(), form["label"].as_str()), ("a.csv", "y"));
        take(&fields(), &mut form, "more", &b);
        take(&fields(), &mut form, "data", &given("c.csv", b"c"));
        assert_eq!((named(&form, "more"), form.contains_key("label")), (Some(b), false));
        assert_eq!(keys(&fields()).collect::<Vec<_>>(), ["data", "more"]);
        assert_eq!(keys(&fields()[1..3]).next(), None, "a task without data");
    }

    #[test]
    fn a_preset_keeps_the_data_but_for_its_own() {
        let keep = |preset: &[(&str, &str)]| {
            let mut preset = raw(preset);
            keep(&fields(), &raw(&[("data", "a.csv@0123456789abcdef"), ("label", "y")]), &mut preset);
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
    fn columns_and_values_are_offered() {
        let column = |name: &str, values: &[&str]| ColumnFacts {
            name: name.into(),
            kind: ColumnKind::Text,
            missing: 0,
            values: values.iter().map(|v| (*v).into()).collect(),
        };
        let columns = vec![column("x", &[]), column("k", &["a", "b"]), column("y", &["0", "1"])];
        let facts = TableFacts { rows: 9, header: Header::Found, columns, head: Vec::new() };
        assert_eq!(options(&facts, &raw(&[]), "label"), ["x", "k", "y"]);
        assert_eq!(options(&facts, &raw(&[("label", "z")]), "label"), ["x", "k", "y", "z"]);
        assert_eq!(options(&facts, &raw(&[]), "positive"), ["0", "1"]);
        assert_eq!(options(&facts, &raw(&[("label", "k")]), "positive"), ["a", "b"]);
        assert!(options(&facts, &raw(&[("label", "x"), ("positive", "c")]), "positive").is_empty());
        assert!(options(&facts, &raw(&[]), "note").is_empty());
    }

    #[test]
    fn names_of_columns_and_values_are_no_markup() {
        let column = ColumnFacts { name: "<b>".into(), kind: ColumnKind::Text, missing: 2, values: vec![] };
        let facts = TableFacts {
            rows: 1,
            header: Header::Doubtful("<y>".into()),
            columns: vec![column],
            head: vec![vec!["\"<i>".into()]],
        };
        let facts = Facts { hash: Hash::of(b""), content: Content::Table(facts) };
        let html = preview("a&b", &Stage::Known(facts));
        assert!(html.contains("<summary>a&amp;b: 1 row × 1 columns</summary>"), "{html}");
        assert!(
            html.contains("<th scope=\"col\">&lt;b&gt;</th>") && html.contains("<td>text, 2 missing</td>")
        );
        assert!(html.contains("<td>&quot;&lt;i&gt;</td>") && html.contains("“&lt;y&gt;” in the first row"));
    }
}
