//! Decisions and repairs of the reading of the main table, as buttons: each changes one field.

use crate::data::{Doubt, Repair};
use crate::lab::{Field, Raw, Role};

/// An answer to a question about the reading, as a button.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Text of the button: the answer, and what the table contains then.
    pub label: String,
    /// Field that is set.
    pub key: &'static str,
    /// Its text.
    pub text: String,
}

/// A question about the reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The question.
    pub question: String,
    /// Answers: yes and no.
    pub answers: Vec<Answer>,
}

/// Returns the questions with their answers. A task without the field that decides has none.
pub fn questions(fields: &[Field], doubts: &[Doubt]) -> Vec<Question> {
    let question = |doubt: &Doubt| {
        let field = fields.iter().find(|field| field.key == doubt.field)?;
        let answers = ["Yes", "No"].into_iter().zip(doubt.answers.iter().zip(&doubt.previews));
        let answer = |(word, (text, preview)): (&str, (&String, &String))| Answer {
            label: format!("{word}: {preview}"),
            key: field.key,
            text: text.clone(),
        };
        Some(Question { question: doubt.question.clone(), answers: answers.map(answer).collect() })
    };
    doubts.iter().filter_map(question).collect()
}

/// Returns the suggested repairs as buttons, without those that have been made.
pub fn offered_repairs(fields: &[Field], raw: &Raw, repairs: &[Repair]) -> Vec<Answer> {
    let offer = |repair: &Repair| {
        let Repaired { key, before, text } = repaired(fields, raw, repair)?;
        (text != before).then(|| Answer { label: repair.label.clone(), key, text })
    };
    repairs.iter().filter_map(offer).collect()
}

/// Returns the remarks that still hold: without those that repairs have settled.
pub fn standing_remarks(fields: &[Field], raw: &Raw, remarks: &[String], repairs: &[Repair]) -> Vec<String> {
    let is_made = |repair: &&Repair| {
        repaired(fields, raw, repair).is_some_and(|Repaired { before, text, .. }| text == before)
    };
    let settled: Vec<&String> = repairs.iter().filter(is_made).map(|repair| &repair.remark).collect();
    remarks.iter().filter(|remark| !settled.contains(remark)).cloned().collect()
}

/// A field that a repair changes, with its text before and after it.
struct Repaired<'a> {
    key: &'static str,
    before: &'a str,
    text: String,
}

/// Returns the field that a repair changes; `None` if the task has none.
fn repaired<'a>(fields: &[Field], raw: &'a Raw, repair: &Repair) -> Option<Repaired<'a>> {
    let field = fields.iter().find(|field| field.key == repair.field)?;
    let before = raw.get(field.key).map_or(field.default, String::as_str);
    Some(Repaired { key: field.key, before, text: repair.applied(before) })
}

/// Returns the choices and repairs of the reading that are in effect; each button restores the default.
pub fn applied_repairs(fields: &[Field], raw: &Raw) -> Vec<Answer> {
    let undo = |field: &Field| {
        let text = raw.get(field.key).filter(|text| *text != field.default)?;
        let label = if text == "true" { field.label.to_owned() } else { format!("{}: {text}", field.label) };
        Some(Answer { label, key: field.key, text: field.default.to_owned() })
    };
    fields.iter().filter(|field| field.role == Role::Reading).filter_map(undo).collect()
}

/// Resets the choices of the reading, which belong to one file; returns a notice if there were any.
pub fn forget_reading(fields: &[Field], raw: &mut Raw) -> Option<String> {
    let choices = applied_repairs(fields, raw);
    let labels: Vec<String> = choices.iter().map(|choice| choice.label.clone()).collect();
    raw.extend(choices.into_iter().map(|choice| (choice.key.to_owned(), choice.text)));
    (!labels.is_empty()).then(|| format!("Reset for the new file: {}.", labels.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::lab::fields::ReadingSettings;
    use crate::lab::{Checked, Record as _, Values, raw_of};

    /// Returns the table that the settings read, as the page reads it.
    fn read(text: &str, raw: &Raw) -> Table {
        let settings = Checked::<ReadingSettings>::new(raw).unwrap();
        Table::read_as(text.as_bytes(), &settings.reading().unwrap()).unwrap()
    }

    fn press(raw: &mut Raw, answer: &Answer) {
        raw.insert(answer.key.to_owned(), answer.text.clone());
    }

    #[test]
    fn each_answer_decides_and_has_the_preview_of_its_table() {
        let fields = ReadingSettings::fields();
        for (text, previews) in [
            ("age;salary;y\n62;1.588;no\n44;269;yes\n", ["Yes: 1588, 269", "No: 1.588, 269"]),
            (
                "0,1,2\n2.5,0.5,1\n3.5,1.5,0\n",
                ["Yes: columns 0, 1, 2; first row 2.5, 0.5, 1", "No: columns x1, x2, x3; first row 0, 1, 2"],
            ),
            (
                "a;b;y\nx;1,5;no\ny;2,5;yes\nSumme;4;\nMittelwert;2;\n",
                ["Yes: 2 rows, the last is y, 2,5, yes", "No: 4 rows, the last is Mittelwert, 2, "],
            ),
        ] {
            let asked = questions(fields, &read(text, &Raw::new()).doubts);
            let [question] = asked.as_slice() else { panic!("{asked:?}") };
            for (answer, preview) in question.answers.iter().zip(previews) {
                assert_eq!(answer.label, preview);
                let mut raw = Raw::new();
                press(&mut raw, answer);
                assert!(read(text, &raw).doubts.is_empty(), "{raw:?}");
                let [undo] = applied_repairs(fields, &raw).try_into().unwrap();
                press(&mut raw, &undo);
                assert_eq!(read(text, &raw).doubts.len(), 1, "undone");
            }
        }
    }

    #[test]
    fn repairs_are_offered_until_they_are_made() {
        let fields = ReadingSettings::fields();
        let text = "n,city,y\n1,Bonn,0\n2,,1\n3,,0\n4,bonn,1\n5,,0\n6,,1\n";
        let offered = |raw: &Raw| offered_repairs(fields, raw, &read(text, raw).facts().repairs);
        let mut raw = Raw::new();
        let keys: Vec<&str> = offered(&raw).iter().map(|repair| repair.key).collect();
        assert_eq!(keys, ["fill_down", "merge_case"]);
        while let Some(repair) = offered(&raw).first() {
            press(&mut raw, repair);
        }
        let table = read(text, &raw);
        let city = table.facts().columns[1].clone();
        assert_eq!((city.values, city.counts), (vec!["bonn".to_owned()], vec![6]));
        assert_eq!(applied_repairs(fields, &raw).len(), 2);
        let notice = forget_reading(fields, &mut raw).unwrap();
        assert!(notice.contains("Fill down: city") && notice.contains("Merge case"), "{notice}");
        assert!(applied_repairs(fields, &raw).is_empty() && forget_reading(fields, &mut raw).is_none());
    }

    /// Regression: a remark still said that a column was used as words after its only word had been declared a missing-value code.
    #[test]
    fn a_remark_disappears_once_its_repair_is_made() {
        let fields = crate::models::task("gp.data").unwrap().fields();
        let rows = (0..12).fold(String::new(), |rows, i| format!("{rows}{i},{},{}\n", i % 5, i % 2));
        let facts = read(&format!("a,b,y\n-999,x4,1\n{rows}"), &Raw::new()).facts();
        let standing = |raw: &Raw| standing_remarks(fields, raw, &facts.remarks, &facts.repairs);
        let mut raw = Raw::new();
        assert_eq!((standing(&raw), facts.remarks.len()), (facts.remarks.clone(), 2));
        for left in [1, 0] {
            let repair = offered_repairs(fields, &raw, &facts.repairs).remove(0);
            press(&mut raw, &repair);
            assert_eq!(standing(&raw).len(), left, "{raw:?}");
        }
    }

    #[test]
    fn units_and_repeated_headers_can_be_kept() {
        let fields = ReadingSettings::fields();
        let row = |i: usize| format!("{},{}.5\n", 40 + i, 70 + i);
        let rows = (0..12).fold(String::new(), |rows, i| rows + &row(i));
        let text = &format!("age,kg\nyears,kg\n{rows}age,kg\n62,88.5\n");
        let mut raw = Raw::new();
        let [keep] = offered_repairs(fields, &raw, &read(text, &raw).facts().repairs).try_into().unwrap();
        assert_eq!((read(text, &raw).rows(), keep.label.as_str()), (13, "Keep rows 2, 15"));
        press(&mut raw, &keep);
        assert_eq!(read(text, &raw).rows(), 15);
    }

    #[test]
    fn a_task_has_the_fields_of_the_repairs() {
        let task = crate::models::task("gp.data").unwrap();
        let values: Values = task.check(&raw_of([("header", "no"), ("skip_malformed", "true")])).unwrap();
        let applied = applied_repairs(task.fields(), &values.to_raw());
        assert_eq!(applied.iter().map(|a| a.key).collect::<Vec<_>>(), ["header", "skip_malformed"]);
        for key in ["id", "na", "skip_malformed"] {
            let repair = Repair {
                label: String::new(),
                field: key.into(),
                value: "true".into(),
                remark: String::new(),
            };
            assert_eq!(offered_repairs(task.fields(), &Raw::new(), &[repair]).len(), 1, "{key}");
        }
    }
}
