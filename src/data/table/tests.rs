//! Files as written by common programs.

use super::remarks::names_an_id;
use super::*;
use crate::{ColumnChoices, ColumnKind, Dataset, TargetKind};

fn read(text: &str) -> Table {
    Table::read(text.as_bytes()).unwrap()
}

fn refused(text: &str) -> String {
    Table::read(text.as_bytes()).unwrap_err().to_string()
}

fn numbers(table: &Table) -> Vec<Vec<f64>> {
    let numbers = |c: &Column| match c {
        Column::Numbers(numbers) => numbers.clone(),
        Column::Text { .. } => panic!("{c:?}"),
    };
    table.columns.iter().map(numbers).collect()
}

#[test]
fn titles_above_the_table_are_skipped_with_a_remark() {
    for text in [
        "Survey of 2024\na,b,y\n1,2,0\n3,4,1\n",
        "Survey of 2024,,\n,,\na,b,y\n1,2,0\n3,4,1\n",
        "\nSurvey of 2024\n\na;b;y\n1;2;0\n3;4;1\n",
    ] {
        let table = read(text);
        assert_eq!((table.names.join(","), table.rows()), ("a,b,y".to_owned(), 2), "{text}");
        let remarks = table.facts().remarks.join(" ");
        assert!(remarks.contains("“Survey of 2024” stands alone above the table"), "{remarks}");
    }
}

#[test]
fn every_separator_gives_the_same_table() {
    let expected = vec![vec![1.5, -2.0], vec![2.0, 1e-3]];
    for text in [
        "a,b\n1.5,2\n-2,1e-3\n",
        "a;b\n1,5;2\n-2;1e-3\n",
        "a;b\n1.5;2\n-2;0,001\n",
        "a\tb\n1,5\t2\n-2\t1e-3",
        "a b\n1.5 2\n-2   1e-3\n",
        "  a\t b \n  1,5\t  2\n -2  0.001 \n",
        "\u{feff}a,b\r\n1.5,2\r\n-2,1e-3\r\n",
        "a,b\r1.5,2\r-2,1e-3\r",
        "\"a\",\"b\"\n\"1.5\",\"2\"\n\"-2\",\"1e-3\"\n",
        "\n\na, b\n\n1.5, 2\n-2, +.001\n\n  \n",
    ] {
        let table = read(text);
        assert_eq!(table.names, ["a", "b"], "{text:?}");
        assert_eq!(numbers(&table), expected, "{text:?}");
    }
}

#[test]
fn blanks_in_names_and_commas_in_cells_are_not_separators() {
    let table = read("sepal length,sepal width,kind\n5.1,3.5,Iris setosa\n4.9,3.0,Iris virginica\n");
    assert_eq!(table.names, ["sepal length", "sepal width", "kind"]);
    let table = read("place,n\n\"Paris, France\",1\n\"Rome \"\"Roma\"\", Italy\",2\n");
    assert_eq!(table.columns[0].distinct(5), ["Paris, France", "Rome \"Roma\", Italy"]);
    let table = read("note;x\n\"two\nlines\";1,5\n;2,5\n");
    assert_eq!(table.lines, [2, 4]);
    assert_eq!(table.columns[1], Column::Numbers(vec![1.5, 2.5]));
}

#[test]
fn a_header_is_recognised() {
    assert_eq!(read("1,2,R\n3,4,M\n5,6,R\n").names, ["x1", "x2", "x3"]);
    assert_eq!(read("1,2,R\n3,4,M\n5,6,R\n").rows(), 3);
    assert_eq!(read(",x,x\na,1,2\nb,3,4\n").names, ["x1", "x", "x (2)"]);
    assert_eq!(read("name,kind\nanna,a\nbert,b\n").rows(), 2);
    assert_eq!(read("yes,a\nno,b\nyes,b\n").rows(), 3, "a repeated word is not a name");
    assert_eq!(read("?,a\n1,b\n").rows(), 2, "a missing value is not a name");
}

#[test]
fn rows_are_counted_as_an_editor_does() {
    assert_eq!(read("a,b\n\n1,2\r\n3,4\r\n\r\n\r\n5,6").lines, [3, 4, 7]);
    assert_eq!(read("1,2\r3,4\r\r5,6\r").lines, [1, 2, 4]);
}

#[test]
fn missing_cells_are_counted_and_leave_the_column_numeric() {
    let facts = read("a,b,c\n1,NA,x\n,2,\nnan,?,y\n4,4,NaN\n").facts();
    let missing: Vec<usize> = facts.columns.iter().map(|c| c.missing).collect();
    assert_eq!(missing, [2, 2, 2]);
    assert_eq!(facts.columns[0].kind, ColumnKind::Numeric { min: 1.0, max: 4.0, mean: 2.5 });
    assert_eq!(facts.columns[2].kind, ColumnKind::Text);
    assert_eq!(facts.columns[2].values, ["x", "y"]);
    assert_eq!(facts.excerpt[2].cells, ["", "2", ""]);
    assert_eq!(facts.rows, 4);
    assert_eq!(facts.columns[0].counts, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(facts.columns[2].counts, [1, 1]);
}

#[test]
fn columns_have_histograms() {
    let row = |i: usize| format!("{i},7,{},w{i}", if i < 5 { "yes" } else { "no" });
    let rows = (0..24).map(row).collect::<Vec<_>>().join("\n");
    let facts = read(&format!("a,b,c,d\n{rows}\n1e308,7,no,v\n")).facts();
    let counts: Vec<&[u32]> = facts.columns.iter().map(|c| c.counts.as_slice()).collect();
    assert_eq!(counts[0], [24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(counts[1], [25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "a constant");
    assert_eq!((facts.columns[2].values.join(" ").as_str(), counts[2]), ("no yes", &[20, 5][..]));
    assert!(counts[3].is_empty(), "too many words");
    let facts = read("a,b\n-1e308,1\n1e308,2\n0,3\n").facts();
    assert_eq!(facts.columns[0].counts, [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "the range overflows");
}

#[test]
fn only_few_distinct_values_are_listed() {
    let column = |n: usize| {
        let rows: Vec<String> = (0..n).map(|i| format!("{i},w{i}\n")).collect();
        let facts = read(&rows.concat()).facts();
        (facts.columns[0].values.len(), facts.columns[1].values.len())
    };
    assert_eq!(column(20), (20, 20));
    assert_eq!(column(21), (0, 0));
}

#[test]
fn errors_name_row_and_column() {
    assert_eq!(
        refused("a,b,c\n1,2\n\n4,5\n6,7\n"),
        "row 2, column “c”: this row has 2 cells, the first one 3"
    );
    assert_eq!(refused("a,b\n1,2,5,6\n3,4,5,6\n"), "row 2: this row has 4 cells, the first one 2");
    assert_eq!(refused(" \n\n"), "row 1: the file is empty");
    assert!(refused("a,b\n").starts_with("row 2: there is a header"));
}

#[test]
fn malformed_rows_are_set_aside_and_listed() {
    let table = read("a,b,c\n1,2,3\n\n4,5\n6,7,8\n9,10,11,12\n");
    assert_eq!((table.lines.as_slice(), table.malformed.len()), (&[2, 5][..], 2));
    let remark = table.facts().remarks.pop().unwrap();
    assert!(remark.ends_with(": row 4 has 2, row 6 has 4."), "{remark}");
    let chosen = |skip_malformed| ColumnChoices { skip_malformed, ..ColumnChoices::default() };
    let error = Dataset::from_table(&table, chosen(false), TargetKind::NoTarget).unwrap_err();
    assert_eq!((error.field, error.nearest.as_deref()), ("skip_malformed", Some("true")));
    let cells = "like the header: row 4 has 2, row 6 has 4.";
    assert!(error.accepted.starts_with("2 rows") && error.accepted.contains(cells), "{}", error.accepted);
    let one = read("a,b,c\n1,2\n6,7,8\n").check_malformed(false).unwrap_err();
    assert_eq!(one.accepted, "Row 2 has 2 cells, the header 3. Skip it?");
    let set = Dataset::from_table(&table, chosen(true), TargetKind::NoTarget).unwrap();
    assert_eq!((set.rows(), set.malformed), (2, 2));
}

#[test]
fn additions_of_common_programs_are_not_data() {
    let expected = vec![vec![1.5, -2.0], vec![2.0, 1e-3]];
    for text in [
        "sep=;\na;b\n1,5;2\n-2;0,001\n",
        "# made by hand\na,b\n1.5,2\n# half time\n-2,1e-3\n",
        "a,b,\n1.5,2,\n-2,1e-3,\n",
        "a,b\n1.5,2,\n-2,1e-3,\n",
        "a,b\n1.5,2\n-2,1e-3,\n",
    ] {
        let table = read(text);
        assert_eq!(table.names, ["a", "b"], "{text:?}");
        assert_eq!(numbers(&table), expected, "{text:?}");
    }
    assert_eq!(read("sep=;\na;b\n1;2\n").lines, [3], "line number in the file");
    assert_eq!(read("#id,x\n1,2\n").names, ["#id", "x"], "a name");
    let named = read("x,y\n1,2,0\n3,4,1\n");
    assert_eq!(named.names, ["row", "x", "y"], "as R writes row names");
    let empty = read("a,,c\n1,,2\n3,,4\n");
    assert_eq!((empty.names.join(""), empty.facts().remarks.len()), ("ac".into(), 1));
}

#[test]
fn words_for_missing_values_leave_a_column_numeric() {
    let table = read("a,b\n1,NULL\nn/a,2\n#N/A,<NA>\n4,#DIV/0!\n");
    assert!(table.columns.iter().all(|column| matches!(column, Column::Numbers(_))));
    assert_eq!(table.facts().columns[0].missing, 2);
}

#[test]
fn unit_signs_are_removed_with_a_remark() {
    let table = read(
        "rate,price,people,change,grade\n5 %,$3,\"1,200\",−2,none\n-,$4.5,12,+1,mild\n7%,.,\"1,234,567.5\",0,none\n",
    );
    let nan = f64::NAN;
    let expected = [[5.0, nan, 7.0], [3.0, 4.5, nan], [1200.0, 12.0, 1_234_567.5], [-2.0, 1.0, 0.0]];
    for (column, expected) in table.columns.iter().zip(expected) {
        let Column::Numbers(numbers) = column else { panic!("{column:?}") };
        assert!(
            numbers.iter().zip(expected).all(|(x, y)| *x == y || x.is_nan() && y.is_nan()),
            "{numbers:?}"
        );
    }
    // In a column of words “none” is a word.
    assert_eq!(table.columns[4].distinct(5), ["mild", "none"]);
    assert_eq!(
        table.facts().remarks.join(" "),
        "Not only numbers in: rate, price, people. Percent signs, currency signs and thousands separators are ignored; “-”, “.” and \
         “none” are missing values."
    );
    // Mixed unit signs and groups of other sizes make a column of words.
    for text in ["a,y\n5%,1\n5,0\n", "a,y\n$5,1\n€5,0\n", "a,y\n−−5,1\n%,0\n"] {
        assert!(matches!(read(text).columns[0], Column::Text { .. }), "{text}");
    }
    assert_eq!(numbers(&read("a,y\n\"1,20\",1\n\"3,4\",0\n"))[0], [1.2, 3.4], "decimal commas in quotes");
    // A comma that may be the decimal sign does not separate thousands.
    assert_eq!(numbers(&read("a|y\n1,200|1\n2,5|0\n"))[0], [1.2, 2.5]);
    assert_eq!(numbers(&read("a;y\n1,200;1\n2,5;0\n"))[0], [1.2, 2.5]);
}

#[test]
fn random_texts_do_not_panic() {
    // Short texts of characters with a special meaning.
    let alphabet = b"1a,;\t \"\n\r.?";
    for seed in 0..8_000_usize {
        let mut rest = seed.wrapping_mul(2_654_435_761);
        let text: Vec<u8> = (0..12)
            .map(|_| {
                rest = rest.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                alphabet[(rest >> 33) % alphabet.len()]
            })
            .collect();
        if let Ok(table) = Table::read(&text) {
            assert!(table.rows() > 0 && table.lines.iter().all(|line| *line <= 13));
            let _ = Dataset::from_table(&table, ColumnChoices::default(), TargetKind::TwoClasses);
        }
    }
}

#[test]
fn probable_id_columns_are_reported() {
    let remarks = |text: &str| Table::read(text.as_bytes()).unwrap().facts().remarks.join(" ");
    for text in
        ["a,patient_id,y\n1.5,12,0\n2,7,1\n3,9,1\n", "who_id,a,y\nu,1,0\nv,2,1\n", "\"\",a,y\n1,5,0\n2,4,1\n"]
    {
        assert!(remarks(text).contains("seems to identify the rows"), "{text}: {}", remarks(text));
    }
    for text in ["a,id,y\n1,3,0\n2,3,1\n", "id,a,y\n1.5,2,0\n2.5,1,1\n", "a,b,y\n1,2,0\n2,3,1\n"] {
        assert_eq!(remarks(text), "", "{text}");
    }
}

#[test]
fn probable_missing_value_codes_and_typing_errors_are_reported() {
    let remarks = |text: &str| Table::read(text.as_bytes()).unwrap().facts().remarks.join(" ");
    let coded = "bmi,age,y\n21,30,a\n-999,41,b\n23,-999,b\n25,52,a\n";
    assert!(
        remarks(coded).starts_with("-999 is far from all other values in: bmi, age. If"),
        "{}",
        remarks(coded)
    );
    // Close to the other values, or no different value: not reported.
    for text in ["age,y\n80,a\n99,b\n61,a\n", "x,y\n99,a\n99,b\n", "x,y\n-99,a\n3,b\n3,b\n"] {
        assert_eq!(remarks(text), "", "{text}");
    }
    let variants = remarks("x,y\n1,Yes\n2,no\n3,yes\n");
    assert_eq!(
        variants,
        "Column y: “Yes” and “yes” differ only in case or blanks and are used as two values."
    );
}

#[test]
fn single_quotes_are_removed() {
    let table = Table::read(b"'a','b c',y\n'1','it''s','u'\n'2',\"'q'\",'v'\n").unwrap();
    assert_eq!(table.names, ["a", "b c", "y"]);
    assert_eq!(table.columns[0], Column::Numbers(vec![1.0, 2.0]));
    let Column::Text { levels, .. } = &table.columns[1] else { panic!("words") };
    assert_eq!(levels, &["it''s", "q"]);
}

#[test]
fn names_of_columns_that_identify_rows() {
    for name in ["id", "ID", "patient_id", "Patient ID", "sampleId", "sampleID", "Unnamed: 0", "index"] {
        assert!(names_an_id(name), "{name}");
    }
    for name in ["acid", "Width", "valid", "idle", "", "d", "ACID"] {
        assert!(!names_an_id(name), "{name}");
    }
}
