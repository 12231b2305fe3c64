//! A person's own data on the page: which file the form names, and what can be chosen once it is read.

use super::pool::Stage;
use crate::data::columns::{Parts, entries, entry, parts};
use crate::data::known::KnownSet;
use crate::data::{ColumnFacts, ColumnKind, Content, DataRef};
use crate::lab::{Field, Kind, Link, Preset, Raw, Role};

/// Largest file taken, in bytes.
pub const LARGEST: f64 = 64e6;

/// Keys of the fields that take a data set; the first is the main one, whose columns other fields name.
pub fn keys(fields: &[Field]) -> impl Iterator<Item = &'static str> {
    fields.iter().filter(|field| field.kind == Kind::Data).map(|field| field.key)
}

/// What a live task is told: of the form what it has fields for, and where that names no artefact, the newest of those `made`.
pub fn for_live(fields: &[Field], raw: &Raw, made: &[DataRef]) -> Raw {
    let mut told = Raw::new();
    for field in fields {
        let text = match field.role {
            Role::Artefact(kind) if named(raw, field.key).is_none() => {
                newest(made, kind).map(DataRef::to_string)
            }
            _ => raw.get(field.key).cloned(),
        };
        if let Some(text) = text {
            told.insert(field.key.to_owned(), text);
        }
    }
    told
}

/// The newest of that kind.
pub fn newest<'a>(made: &'a [DataRef], kind: &str) -> Option<&'a DataRef> {
    made.iter().rfind(|made| made.name == kind)
}

/// The data set that a form names in the field of that key.
pub fn named(raw: &Raw, key: &str) -> Option<DataRef> {
    raw.get(key).and_then(|text| DataRef::parse(text.trim()))
}

/// Names another data set in the field of that key. Says so where a link named a file of that name with other contents.
pub fn take(raw: &mut Raw, key: &str, given: &DataRef) -> Option<String> {
    let before = named(raw, key);
    raw.insert(key.to_owned(), given.to_string());
    let before = before.filter(|before| before.name == given.name && before.content() != given.content())?;
    let (name, now, wanted) = (&given.name, given.hash?, before.hash?);
    Some(format!("{name} differs from the file in the link: its hash is {now}, not {wanted}."))
}

/// What a form says of the columns and values of its main table.
const OF_COLUMNS: [Role; 5] = [Role::Label, Role::Split, Role::Ignored, Role::Positive, Role::PerColumn];

/// Takes out of the form what is said of columns and values that its main table does not have, and says so. `before` are the
/// names of the columns that the form was for, if they are known.
pub fn fit(
    fields: &[Field],
    raw: &mut Raw,
    columns: &[ColumnFacts],
    before: Option<&[String]>,
) -> Option<String> {
    let dropped: Vec<String> =
        OF_COLUMNS.iter().filter_map(|role| fit_role(fields, raw, columns, before, *role)).collect();
    (!dropped.is_empty())
        .then(|| format!("Not in this table, and back to the default: {}.", dropped.join(", ")))
}

/// The same for the field of one role, if there is one: what was taken out, in words.
pub fn fit_role(
    fields: &[Field],
    raw: &mut Raw,
    columns: &[ColumnFacts],
    before: Option<&[String]>,
    role: Role,
) -> Option<String> {
    let field = Field::with_role(fields, role)?;
    let text = raw.get(field.key).filter(|text| !text.is_empty())?;
    let names = || columns.iter().map(|column| &column.name);
    let is_column = |name: &str| names().any(|known| known == name);
    let (kept, lacking) = match role {
        Role::Ignored => {
            let (kept, lacking): (Vec<_>, Vec<_>) =
                entries(text).into_iter().partition(|name| is_column(name));
            let list = |names: Vec<&str>| names.into_iter().map(entry).collect::<Vec<_>>().join(",");
            (list(kept), list(lacking))
        }
        Role::Label | Role::Split if !is_column(text) => (String::new(), text.clone()),
        Role::Positive if !values(fields, raw, columns).contains(text) => (String::new(), text.clone()),
        Role::PerColumn if before.is_some_and(|before| !names().eq(before)) => (String::new(), text.clone()),
        _ => return None,
    };
    if lacking.is_empty() {
        return None;
    }
    raw.insert(field.key.to_owned(), kept);
    Some(format!("{} “{lacking}”", field.label))
}

/// A preset keeps artefacts that the form names; and its data set and what is said of its rows and columns, unless it is for
/// another one.
pub fn keep(fields: &[Field], before: &Raw, preset: &mut Raw) {
    let Some(key) = keys(fields).next() else { return };
    let (now, wanted) = (named(before, key), named(preset, key));
    let same = now.is_some_and(|now| wanted.is_none_or(|wanted| wanted.name == now.name));
    for field in fields {
        let kept = field.is_artefact() || same && field.role.concerns_the_table();
        if let Some(text) = before.get(field.key).filter(|_| kept)
            && (field.key == key || !preset.contains_key(field.key))
        {
            preset.insert(field.key.to_owned(), text.clone());
        }
    }
}

/// The settings that a preset's query says.
pub fn settings(query: &str) -> Raw {
    Link::parse(&format!("?{query}")).raw
}

/// The first preset that names a data set, if the task takes one.
pub fn example<'a>(fields: &[Field], presets: &'a [Preset]) -> Option<&'a Preset> {
    let key = keys(fields).next()?;
    presets.iter().find(|preset| named(&settings(preset.query), key).is_some())
}

/// The known set that a preset needs and that is not shipped with the page, if there is one.
pub fn needs(fields: &[Field], query: &str) -> Option<&'static KnownSet> {
    let set = named(&settings(query), keys(fields).next()?)?.known()?;
    (!set.shipped()).then_some(set)
}

/// What a field of text can be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The texts; none where it is free.
    pub texts: Vec<String>,
    /// What is taken by default, if that is one thing.
    pub default: Option<String>,
}

/// What a field that names a column or a value of the main table can be.
pub fn options(columns: &[ColumnFacts], fields: &[Field], raw: &Raw, field: &Field) -> Options {
    let now = raw.get(field.key).map_or("", String::as_str);
    let mut bare = raw.clone();
    bare.insert(field.key.to_owned(), String::new());
    let parts = parts_of(fields, &bare, columns);
    let name = |column: Option<&ColumnFacts>| column.map(|column| column.name.clone());
    let names = || columns.iter().map(|column| column.name.clone()).collect();
    let (mut texts, default): (Vec<String>, _) = match field.role {
        Role::Label => (names(), name(parts.label)),
        Role::Split => (names(), Some(name(parts.split).unwrap_or_else(|| "none".to_owned()))),
        Role::Positive => {
            let values = values(fields, &bare, columns);
            // Of two values the last is the one that is taken.
            let usual = values.get(1).filter(|_| values.len() == 2).cloned();
            (values, usual)
        }
        _ => return Options::default(),
    };
    // What a link says stays to be seen, even if it is wrong.
    if !(texts.is_empty() || now.is_empty() || texts.iter().any(|text| text == now)) {
        texts.push(now.to_owned());
    }
    Options { texts, default }
}

/// What a form makes of the columns.
fn parts_of<'a>(fields: &[Field], raw: &Raw, columns: &'a [ColumnFacts]) -> Parts<'a> {
    let text = |role| Field::with_role(fields, role).and_then(|field| raw.get(field.key));
    let text = |role| text(role).map_or("", String::as_str);
    parts(columns, text(Role::Ignored), text(Role::Split), text(Role::Label))
}

/// The distinct values of the label, if they are few.
fn values(fields: &[Field], raw: &Raw, columns: &[ColumnFacts]) -> Vec<String> {
    parts_of(fields, raw, columns).label.map_or(Vec::new(), |label| label.values.clone())
}

/// What is known of a file, to be shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Preview {
    /// One sentence.
    Words(String),
    /// Why it cannot be used.
    Problem(String),
    /// Its first rows.
    Table {
        /// Name and size.
        size: String,
        /// What was guessed of it.
        remarks: Vec<String>,
        /// Names of the columns.
        head: Vec<String>,
        /// What each column holds, and then the rows.
        rows: Vec<Vec<String>>,
    },
}

/// What is known of a file.
pub fn preview(name: &str, stage: &Stage) -> Preview {
    let facts = match stage {
        Stage::Waiting | Stage::Reading => return Preview::Words("Reading the file …".to_owned()),
        Stage::Rejected(problem) => {
            return Preview::Problem(format!("{name} could not be read: {problem}."));
        }
        Stage::Known(facts) => facts,
    };
    let words = match &facts.content {
        Content::Table(table) => {
            let rows = if table.rows == 1 { "1 row".to_owned() } else { format!("{} rows", table.rows) };
            let kinds = table.columns.iter().map(kind).collect();
            return Preview::Table {
                size: format!("{name}: {rows} × {} columns", table.columns.len()),
                remarks: table.header.remark().into_iter().chain(table.remarks.iter().cloned()).collect(),
                head: table.columns.iter().map(|column| column.name.clone()).collect(),
                rows: std::iter::once(kinds).chain(table.head.iter().cloned()).collect(),
            };
        }
        Content::Images { count, rows, columns } => format!("{count} images of {rows} × {columns} pixels"),
        Content::Labels { count, classes } => format!("{count} labels, {classes} classes"),
        Content::Artefact { kind, .. } => kind.clone(),
    };
    Preview::Words(format!("{name}: {words}"))
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
    use crate::data::{Facts, Hash, Header, TableFacts};

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
        ColumnFacts { name: name.into(), kind: ColumnKind::Text, missing: 0, values }
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
    fn a_live_task_is_told_its_own_fields_and_the_newest_artefact() {
        let field = |key, kind, role| Field { role, ..Field::new(key, kind, "") };
        let fields =
            [field("net", Kind::Data, Role::Artefact("x.net")), field("rate", Kind::Flag, Role::Setting)];
        let made = |name: &str, bytes: &[u8]| DataRef::file(name, bytes);
        let form = raw(&[("rate", "true"), ("epochs", "3")]);
        assert_eq!(for_live(&fields, &form, &[made("y.net", b"0")]), raw(&[("rate", "true")]));
        let newest = made("x.net", b"2");
        let all = [made("x.net", b"1"), newest.clone(), made("y.net", b"3")];
        let told = for_live(&fields, &form, &all);
        assert_eq!(told, raw(&[("net", &newest.to_string()), ("rate", "true")]));
        // One that the form names goes before those, and stays with a preset.
        let mine = made("mine.bin", b"4").to_string();
        let form = raw(&[("net", &mine), ("epochs", "3")]);
        assert_eq!(for_live(&fields, &form, &all), raw(&[("net", &mine)]));
        let mut preset = raw(&[("rate", "true")]);
        keep(&fields, &form, &mut preset);
        assert_eq!(preset, raw(&[("net", &mine), ("rate", "true")]));
        assert_eq!(for_live(&fields, &raw(&[("net", "")]), &all), raw(&[("net", &newest.to_string())]));
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
            let Options { texts, default } = options(&columns, &fields, &raw(pairs), field);
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
    fn a_table_is_shown_by_its_first_rows() {
        let column = ColumnFacts { name: "<b>".into(), kind: ColumnKind::Text, missing: 2, values: vec![] };
        let facts = TableFacts {
            rows: 1,
            header: Header::Doubtful("y".into()),
            remarks: vec!["One line is a comment.".into()],
            columns: vec![column],
            head: vec![vec!["i".into()]],
        };
        let facts = Facts { hash: Hash::of(b""), content: Content::Table(facts) };
        let Preview::Table { size, remarks, head, rows } = preview("a&b", &Stage::Known(facts)) else {
            panic!("a table")
        };
        assert_eq!((size.as_str(), head), ("a&b: 1 row × 1 columns", vec!["<b>".to_owned()]));
        assert_eq!(rows, [["text, 2 missing"], ["i"]]);
        assert!(remarks[0].contains("“y” in the first row") && remarks.len() == 2);
    }

    #[test]
    fn a_preset_says_which_file_it_needs() {
        let needed = |query: &str| needs(&fields(), query).map(|set| set.name);
        assert_eq!(needed("data=sonar&rate=1"), Some("sonar"));
        assert_eq!([needed("data=example"), needed("data=own.csv"), needed("rate=1")], [None; 3]);
    }
}
