//! Roles of the columns of the main table, and the settings that assign them.

use super::{kind, parts_of};
use crate::data::name_list::{quoted_name, split_names};
use crate::data::{ColumnFacts, ColumnKind, counted};
use crate::lab::{Field, Raw, Role};

/// Role of columns that are not used.
const IGNORED: &str = "ignored";

/// Roles of a column other than input.
const ROLES: [Role; 5] = [Role::Label, Role::Split, Role::Id, Role::Group, Role::Ignored];

/// Row in the table of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRow {
    /// Its name.
    pub name: String,
    /// Its contents in a few words.
    pub holds: String,
    /// Histogram, one character for each bar; empty for too many different words.
    pub bars: String,
    /// Its role: the key of the field that assigns it, or empty for an input.
    pub role: &'static str,
    /// Possible roles: key and word.
    pub choices: Vec<(&'static str, String)>,
}

/// Returns the columns of a table with the roles that the form gives them.
pub fn column_rows(columns: &[ColumnFacts], fields: &[Field], raw: &Raw) -> Vec<ColumnRow> {
    let parts = parts_of(fields, raw, columns);
    let text = |role| {
        let field = Field::with_role(fields, role)?;
        Some((field.key, raw.get(field.key).map_or("", String::as_str)))
    };
    let is = |role, column: &ColumnFacts| match role {
        Role::Label => parts.label == Some(column),
        Role::Split => parts.split == Some(column),
        Role::Id | Role::Group => text(role).is_some_and(|(_, name)| name == column.name),
        _ => text(role).is_some_and(|(_, ignored)| split_names(ignored).contains(&column.name.as_str())),
    };
    let row = |column: &ColumnFacts| {
        // The role “not used” takes precedence.
        let role = ROLES.into_iter().rev().find(|role| text(*role).is_some() && is(*role, column));
        let key = |role| text(role).map_or("", |(key, _)| key);
        // There is always a label: another column becomes the label first.
        let input = (role != Some(Role::Label)).then(|| ("", "input".to_owned()));
        let choices = ROLES.into_iter().filter_map(|role| Some((text(role)?.0, word(role).to_owned())));
        ColumnRow {
            name: column.name.clone(),
            holds: holds(column),
            bars: bars(&column.counts),
            role: role.map_or("", key),
            choices: input.into_iter().chain(choices).collect(),
        }
    };
    columns.iter().map(row).collect()
}

/// Describes the roles of the columns in a few words.
pub fn describe_roles(rows: &[ColumnRow]) -> String {
    let mut said = vec![counted(rows.iter().filter(|row| row.role.is_empty()).count(), "input")];
    let word =
        |row: &ColumnRow| row.choices.iter().find(|(key, _)| *key == row.role).map(|(_, word)| word.clone());
    let words: Vec<(String, &str)> = rows
        .iter()
        .filter(|row| !row.role.is_empty())
        .filter_map(|row| Some((word(row)?, row.name.as_str())))
        .collect();
    let ignored = words.iter().filter(|(word, _)| word == IGNORED).count();
    said.extend(
        words.iter().filter(|(word, _)| word != IGNORED).map(|(word, name)| format!("{word} {name}")),
    );
    said.extend((ignored > 0).then(|| format!("{ignored} {IGNORED}")));
    said.join(", ")
}

/// Returns the settings that give a column the role of the field of `key`, or make it an input if `key` is empty.
pub fn assign(
    columns: &[ColumnFacts],
    fields: &[Field],
    raw: &Raw,
    name: &str,
    key: &str,
) -> Vec<(String, String)> {
    let mut after = raw.clone();
    for field in fields {
        let Some(text) = after.get_mut(field.key) else { continue };
        match field.role {
            Role::Ignored => {
                let left = split_names(text).into_iter().filter(|ignored| *ignored != name);
                *text = left.map(quoted_name).collect::<Vec<_>>().join(",");
            }
            role if ROLES.contains(&role) && text == name => text.clear(),
            _ => {}
        }
    }
    let mut set = |field: &Field, text: String| drop(after.insert(field.key.to_owned(), text));
    match fields.iter().find(|field| field.key == key && !key.is_empty()) {
        Some(field) if field.role == Role::Ignored => {
            let before = raw.get(key).map_or("", String::as_str);
            let kept = split_names(before).into_iter().filter(|ignored| *ignored != name).chain([name]);
            set(field, kept.map(quoted_name).collect::<Vec<_>>().join(","));
        }
        Some(field) => set(field, name.to_owned()),
        None => {}
    }
    // A column recognised as a split has this role unless the settings exclude it.
    let still = parts_of(fields, &after, columns).split.is_some_and(|split| split.name == name);
    if let Some(split) = Field::with_role(fields, Role::Split).filter(|split| still && split.key != key) {
        after.insert(split.key.to_owned(), "none".to_owned());
    }
    let changed = after.iter().filter(|(key, text)| raw.get(*key).map_or("", String::as_str) != *text);
    changed.map(|(key, text)| (key.clone(), text.clone())).collect()
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Label => "label",
        Role::Split => "train/test",
        Role::Id => "ID",
        Role::Group => "group",
        _ => IGNORED,
    }
}

/// Describes the contents of a column: its range, or its words where they are few.
fn holds(column: &ColumnFacts) -> String {
    const SHOWN: usize = 4;
    let all = &column.values;
    if column.kind != ColumnKind::Text || all.is_empty() {
        return kind(column);
    }
    let more = if all.len() > SHOWN { format!(" and {} more", all.len() - SHOWN) } else { String::new() };
    let missing = if column.missing == 0 { String::new() } else { format!(", {} missing", column.missing) };
    format!("{}{more}{missing}", all[..all.len().min(SHOWN)].join(", "))
}

/// Formats a histogram as text; every value that occurs has a visible bar.
fn bars(counts: &[u32]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |count: &u32| match *count {
        0 => '\u{2007}',
        count => BARS[(u64::from(count) * BARS.len() as u64).div_ceil(u64::from(most)) as usize - 1],
    };
    counts.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Kind;

    fn fields() -> [Field; 4] {
        let field = |key, role| Field { label: key, role, ..Field::new(key, Kind::Text { most: 99 }, "") };
        [
            field("label", Role::Label),
            field("split", Role::Split),
            field("id", Role::Id),
            field("ignore", Role::Ignored),
        ]
    }

    fn columns() -> Vec<ColumnFacts> {
        let column = |name: &str, values: &[&str]| ColumnFacts {
            name: name.into(),
            kind: if values.is_empty() {
                ColumnKind::Numeric { min: 0.0, max: 2.0, mean: 1.0 }
            } else {
                ColumnKind::Text
            },
            missing: 0,
            values: values.iter().map(|value| (*value).into()).collect(),
            counts: vec![1, 2],
        };
        vec![
            column("a", &[]),
            column("b,c", &[]),
            column("part", &["test", "train"]),
            column("y", &["no", "yes"]),
        ]
    }

    fn raw(pairs: &[(&str, &str)]) -> Raw {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    fn roles(raw: &Raw) -> String {
        let rows = column_rows(&columns(), &fields(), raw);
        rows.iter().map(|row| if row.role.is_empty() { "-" } else { row.role }).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_column_has_the_role_that_the_solver_gives_it() {
        assert_eq!(roles(&raw(&[])), "- - split label");
        assert_eq!(roles(&raw(&[("label", "a"), ("split", "none"), ("id", "y")])), "label - - id");
        assert_eq!(roles(&raw(&[("ignore", "y,\"b,c\"")])), "label ignore split ignore");
        let rows = column_rows(&columns(), &fields(), &raw(&[]));
        assert_eq!((rows[0].holds.as_str(), rows[0].bars.as_str()), ("0 to 2", "▄█"));
        assert_eq!(rows[3].holds, "no, yes");
        let words = |row: usize| rows[row].choices.iter().map(|(_, word)| word.as_str()).collect::<Vec<_>>();
        assert_eq!(words(0), ["input", "label", "train/test", "ID", "ignored"]);
        assert_eq!(words(3), ["label", "train/test", "ID", "ignored"], "there is always a label");
        assert_eq!(describe_roles(&rows), "2 inputs, train/test part, label y");
        let rows = column_rows(&columns(), &fields(), &raw(&[("ignore", "a,\"b,c\""), ("id", "part")]));
        assert_eq!(describe_roles(&rows), "0 inputs, ID part, label y, 2 ignored");
        // A task without a label has no such role.
        let rows = column_rows(&columns(), &fields()[3..], &raw(&[]));
        assert!(rows.iter().all(|row| row.role.is_empty() && row.choices.len() == 2));
    }

    #[test]
    fn a_histogram_shows_what_is_rare_and_what_is_not_there() {
        assert_eq!(bars(&[0, 1, 1000, 500, 501, u32::MAX]), "\u{2007}▁▁▁▁█");
        assert_eq!(
            (bars(&[8, 7, 1]), bars(&[0]), bars(&[])),
            ("█▇▁".into(), "\u{2007}".into(), String::new())
        );
    }

    #[test]
    fn a_choice_has_its_effect_and_undoes_the_one_before() {
        let mut form = raw(&[("label", "a"), ("ignore", "\"b,c\"")]);
        let mut choose = |name: &str, key: &str| {
            let changes = assign(&columns(), &fields(), &form, name, key);
            form.extend(changes);
            roles(&form)
        };
        assert_eq!(choose("b,c", "label"), "- label split -");
        assert_eq!(choose("y", "id"), "- label split id");
        assert_eq!(choose("part", ""), "- label - id");
        assert_eq!(choose("part", "split"), "- label split id");
        assert_eq!(choose("part", "ignore"), "- label ignore id");
        assert_eq!(choose("a", "ignore"), "ignore label ignore id");
        assert_eq!(choose("part", ""), "ignore label - id");
        assert_eq!(choose("a", ""), "- label - id");
        assert_eq!(choose("y", "label"), "- - - label");
        assert_eq!(choose("y", "ignore"), "- - label ignore", "the last of those that are left");
    }
}
