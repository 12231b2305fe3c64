//! A person's own data on the page: which file the form names, and what can be chosen once it is read.

use super::html::{cells, escape, table};
use super::pool::Stage;
use crate::data::{ColumnFacts, ColumnKind, DataRef, Facts};
use crate::lab::{Field, Kind, Raw};

/// Largest file taken, in bytes.
pub const LARGEST: f64 = 64e6;

/// Key and text of the data set that a form names, if its task takes one.
pub fn named(fields: &[Field], raw: &Raw) -> Option<(&'static str, Option<DataRef>)> {
    let key = fields.iter().find(|field| field.kind == Kind::Data)?.key;
    Some((key, raw.get(key).and_then(|text| DataRef::parse(text.trim()))))
}

/// The form with another data set: columns of one table mean nothing in another, unless it is the one that was named.
/// Says so where a link named a file of that name with other contents.
pub fn take(fields: &[Field], raw: &mut Raw, given: &DataRef) -> Option<String> {
    let (key, before) = named(fields, raw)?;
    raw.insert(key.to_owned(), given.to_string());
    let before = before?;
    let same_name = before.name == given.name;
    if before.hash == given.hash || before.hash.is_none() && same_name {
        return None;
    }
    raw.retain(|key, _| fields.iter().any(|f| f.key == key && !matches!(f.kind, Kind::Text { .. })));
    if !same_name {
        return None;
    }
    let (name, now, wanted) = (&given.name, given.hash?, before.hash?);
    Some(format!("This {name} is another than the one asked for: its hash is {now}, not {wanted}."))
}

/// What a field of text can be: `label` names a column, `positive` one of the label's two values; other fields are free.
pub fn options(facts: &Facts, raw: &Raw, key: &str) -> Vec<String> {
    let text = |key| raw.get(key).map_or("", String::as_str);
    let mut options = Vec::new();
    match key {
        "label" => options.extend(facts.columns.iter().map(|column| column.name.clone())),
        "positive" => {
            let label = facts.columns.iter().find(|column| column.name == text("label"));
            options.extend(
                label.or(facts.columns.last()).iter().flat_map(|column| column.values.iter().cloned()),
            );
        }
        _ => {}
    }
    // What a link says stays to be seen, even if it is wrong.
    if !(options.is_empty() || text(key).is_empty() || options.iter().any(|option| option == text(key))) {
        options.push(text(key).to_owned());
    }
    options
}

/// The options of a select, `chosen` among them.
pub fn select(options: &[String], chosen: &str) -> String {
    let mut html = "<option value=''>automatic</option>".to_owned();
    for option in options {
        html += if option == chosen { "<option selected>" } else { "<option>" };
        html += &escape(option);
        html += "</option>";
    }
    html
}

/// What is known of a file, as markup: being read, refused with its place, or previewed.
pub fn preview(stage: &Stage) -> String {
    let facts = match stage {
        Stage::Waiting | Stage::Reading => return cells("p", ["Reading the file …"]),
        Stage::Rejected(problem) => {
            return cells("p class='problem'", [format!("This is no table: {problem}.").as_str()]);
        }
        Stage::Known(facts) => facts,
    };
    let head = cells("th scope='col'", facts.columns.iter().map(|column| column.name.as_str()));
    let row = |texts: &[String]| format!("<tr>{}</tr>", cells("td", texts.iter().map(String::as_str)));
    let mut rows = vec![row(&facts.columns.iter().map(holds).collect::<Vec<_>>())];
    rows.extend(facts.head.iter().map(|texts| row(texts)));
    let (name, count, columns) = (escape(&facts.name), facts.rows, facts.columns.len());
    format!(
        "<details class='preview' open><summary>{name}: {count} rows × {columns} columns</summary>\
         <div class='scroll' tabindex='0' role='region' aria-label='First rows'>{}</div></details>",
        table("", &head, &rows)
    )
}

/// What a column holds, in a few words.
fn holds(column: &ColumnFacts) -> String {
    let holds = match column.kind {
        ColumnKind::Numeric { min, max, .. } => format!("{min} to {max}"),
        ColumnKind::Text => "text".to_owned(),
    };
    if column.missing == 0 { holds } else { format!("{holds}, {} missing", column.missing) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DataProblem, Hash};
    use crate::lab::Group;

    fn field(key: &'static str, kind: Kind) -> Field {
        Field { key, label: "", symbol: "", help: "", group: Group::Problem, kind, default: "" }
    }

    fn fields() -> [Field; 3] {
        [field("data", Kind::Data), field("label", Kind::Text { most: 9 }), field("fields", Kind::Flag)]
    }

    fn raw(pairs: &[(&str, &str)]) -> Raw {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn another_table_has_other_columns() {
        let given = |name: &str, bytes: &[u8]| DataRef { name: name.into(), hash: Some(Hash::of(bytes)) };
        let after = |before: &str, given: &DataRef| {
            let mut form = raw(&[("data", before), ("label", "y"), ("fields", "true")]);
            let notice = take(&fields(), &mut form, given);
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
        assert_eq!(take(&fields()[1..], &mut Raw::new(), &a), None, "a task without data");
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
        let facts = Facts { name: "t".into(), hash: Hash::of(b""), rows: 9, columns, head: Vec::new() };
        assert_eq!(options(&facts, &raw(&[]), "label"), ["x", "k", "y"]);
        assert_eq!(options(&facts, &raw(&[("label", "z")]), "label"), ["x", "k", "y", "z"]);
        assert_eq!(options(&facts, &raw(&[]), "positive"), ["0", "1"]);
        assert_eq!(options(&facts, &raw(&[("label", "k")]), "positive"), ["a", "b"]);
        assert!(options(&facts, &raw(&[("label", "x"), ("positive", "c")]), "positive").is_empty());
        assert!(options(&facts, &raw(&[]), "note").is_empty());
    }

    #[test]
    fn what_stands_in_a_file_becomes_no_markup() {
        assert_eq!(
            select(&["a".into(), "<b>".into()], "<b>"),
            "<option value=''>automatic</option><option>a</option><option selected>&lt;b&gt;</option>"
        );
        let kind = ColumnKind::Numeric { min: 0.0, max: 1.5, mean: 1.0 };
        let column = ColumnFacts { name: "<i>".into(), kind, missing: 2, values: Vec::new() };
        let head = vec![vec!["<u>".into()]];
        let facts =
            Facts { name: "<b>.csv".into(), hash: Hash::of(b""), rows: 9, columns: vec![column], head };
        let html = preview(&Stage::Known(facts));
        assert!(html.contains("&lt;b&gt;.csv: 9 rows × 1 columns"), "{html}");
        assert!(
            html.contains("<td>0 to 1.5, 2 missing</td>") && html.contains("<td>&lt;u&gt;</td>"),
            "{html}"
        );
        let problem = DataProblem { row: 3, column: Some("<s>".into()), why: "no".into() };
        let html = preview(&Stage::Rejected(problem));
        assert_eq!(html, "<p class='problem'>This is no table: row 3, column “&lt;s&gt;”: no.</p>");
    }
}
