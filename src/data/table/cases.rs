//! Tables as people have them: each was misread once.

use super::*;

/// Returns the description of column `name`.
fn column(table: &Table, name: &str) -> crate::ColumnFacts {
    let facts = table.facts();
    facts
        .columns
        .into_iter()
        .find(|column| column.name == name)
        .unwrap_or_else(|| panic!("{name}: {:?}", table.names))
}

fn range(table: &Table, name: &str) -> (f64, f64) {
    match column(table, name).kind {
        crate::ColumnKind::Numeric { min, max, .. } => (min, max),
        crate::ColumnKind::Text => panic!("{name} is text: {table:?}"),
    }
}

fn has_remark(table: &Table, part: &str) -> bool {
    table.facts().remarks.iter().any(|remark| remark.contains(part))
}

/// Name; text; columns; column of numbers with its minimum and maximum.
type Case = (&'static str, &'static str, &'static str, Option<(&'static str, f64, f64)>);

const CASES: [Case; 17] = [
    (
        "decimal comma in the last column",
        "sorte;boden;ertrag\nCato;Sand;7,48\nCato;Lehm;6,93\nAkra;Ton;6,16\n",
        "sorte,boden,ertrag",
        Some(("ertrag", 6.16, 7.48)),
    ),
    (
        "German thousands",
        "datum;konto;betrag\n01/02/2023;A;-12.000,00\n02/02/2023;B;400,50\n06/02/2023;B;-21.419,06\n",
        "datum,konto,betrag",
        Some(("betrag", -21_419.06, 400.5)),
    ),
    (
        "numbers as names",
        "0,1,2,target\n2.5,0.04,0.02,1\n1.1,-0.7,0.07,1\n0.3,0.5,0.8,0\n",
        "0,1,2,target",
        Some(("target", 0.0, 1.0)),
    ),
    ("years as names", "land,1990,1991\nA,2.5,3.5\nB,1.5,2.5\n", "land,1990,1991", Some(("1991", 2.5, 3.5))),
    (
        "accounting",
        "balance,age\n126,40\n(828),79\n\"(1,296)\",61\n707,76\n",
        "balance,age",
        Some(("balance", -1296.0, 707.0)),
    ),
    (
        "points between thousands beside decimal commas",
        "umsatz;note;kunde\n19.364;3,9;ja\n323;4,3;nein\n101;3,1;ja\n",
        "umsatz,note,kunde",
        Some(("umsatz", 101.0, 19_364.0)),
    ),
    (
        "two byte-order marks",
        "\u{feff}\u{feff}width,y\n0.88,0\n1.31,1\n",
        "width,y",
        Some(("width", 0.88, 1.31)),
    ),
    ("a separator in the first line", "\"sep=;\"\na;b\n1,5;2\n2,5;3\n", "a,b", Some(("a", 1.5, 2.5))),
    ("savetxt", "# x,y,label\n0.173,0.298,0\n0.588,-2.12,1\n", "x,y,label", Some(("x", 0.173, 0.588))),
    (
        "a logger's preamble",
        "\"TOA5\",\"4711\",\"LX9\",\"CPU\",\"ts\"\n\"TIMESTAMP\",\"RECORD\",\"Ux\",\"rain\"\n\"TS\",\"RN\",\"m/s\",\"\"\n\"\",\"\",\"Smp\",\"Smp\"\n\
         \"2012-06-07 13:00:00\",500,-0.101,0\n\"2012-06-07 13:00:01\",501,0.977,1\n\"2012-06-07 13:00:02\",502,-0.735,1\n",
        "TIMESTAMP,RECORD,Ux,rain",
        Some(("Ux", -0.735, 0.977)),
    ),
    (
        "bare LF in cells",
        "x;note;y\r\n0.94;two\nlines;0\r\n-1.65;fine;1\r\n-0.79;fine;0\r\n",
        "x,note,y",
        Some(("x", -1.65, 0.94)),
    ),
    (
        "units",
        "age,weight,city\nyears,kg,\n62,88.5,Bonn\n44,73.4,Aachen\n77,55.5,Bonn\n",
        "age,weight,city",
        Some(("age", 44.0, 77.0)),
    ),
    (
        "a repeated header",
        "age,city\n62,Bonn\n44,Aachen\nage,city\n77,Bonn\n",
        "age,city",
        Some(("age", 44.0, 77.0)),
    ),
    (
        "Swiss",
        "preis;y\n1'234.50;0\n12'345'678.25;1\n9.5;0\n",
        "preis,y",
        Some(("preis", 9.5, 12_345_678.25)),
    ),
    (
        "Indian",
        "price,y\n\"12,34,567.5\",0\n\"1,234\",1\n99,1\n",
        "price,y",
        Some(("price", 99.0, 1_234_567.5)),
    ),
    ("inches", "pipe,d,y\n5\" pipe,1.5,0\n6\" pipe,2.5,1\n", "pipe,d,y", Some(("d", 1.5, 2.5))),
    ("one column", "dose\n-1.5\n0.0\n1.5\n", "dose", Some(("dose", -1.5, 1.5))),
];

#[test]
fn tables_as_people_have_them_are_read_right() {
    for (name, text, columns, numbers) in CASES {
        let table = Table::read(text.as_bytes()).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        assert_eq!(table.names.join(","), columns, "{name}");
        assert!(table.doubts.is_empty() && table.malformed.is_empty(), "{name}: {:?}", table.doubts);
        if let Some((column, min, max)) = numbers {
            assert_eq!(range(&table, column), (min, max), "{name}");
        }
    }
}

#[test]
fn windows_1252_is_read_with_its_punctuation() {
    let table =
        Table::read(b"produkt;preis;notiz\r\nTee;6,06 \x80;kunde\x92s wahl\r\nTee;6,69 \x80;sp\xe4t\r\n")
            .unwrap();
    assert_eq!(range(&table, "preis"), (6.06, 6.69));
    assert_eq!(column(&table, "notiz").values[0], "kunde’s wahl");
    assert_eq!(table.reading.encoding, crate::Encoding::Windows1252);
    assert!(has_remark(&table, "Windows-1252"));
}

#[test]
fn a_quote_that_is_not_closed_is_refused_with_its_line() {
    let rows = |from: usize| {
        (from..from + 20).map(|i| format!("{i}.5,low,{}\n", i % 2)).collect::<Vec<_>>().concat()
    };
    for (text, line) in [
        (format!("a,level,y\n{}-0.76,\"high,1\n{}", rows(0), rows(30)), 22),
        (format!("a,level,y\n{}-0.76,high,\"1\n{}", rows(0), rows(30)), 22),
        (format!("a,level,y\n{}\"-0.76,high,1\n{}", rows(0), rows(30)), 22),
    ] {
        let problem = Table::read(text.as_bytes()).unwrap_err();
        assert_eq!(problem.row, Some(line), "{problem}");
    }
    // A note of several lines is no such quote.
    let table = Table::read(b"a,note,y\n1,\"two\nlines\",0\n2,\"a, b\nc\",1\n").unwrap();
    assert_eq!(table.lines, [2, 4]);
}

#[test]
fn identifiers_are_text_to_the_last_digit() {
    let table = Table::read(b"patient,dose\n00007,-0.46\n00008,0.81\n00042,1.5\n").unwrap();
    assert_eq!(table.texts("patient"), ["00007", "00008", "00042"]);
    let table = Table::read(b"scholar,won\n11898508762506083200,0\n11898508762506083201,1\n7,1\n").unwrap();
    assert_eq!(table.texts("scholar"), ["11898508762506083200", "11898508762506083201", "7"]);
    let table = Table::read(b"id,won\n05,0\n7,1\n1.0,0\n").unwrap();
    assert_eq!(table.texts("id"), ["05", "7", "1.0"], "numbers, exported as written");
}

#[test]
fn labels_are_compared_without_invisible_characters() {
    let table =
        Table::read("x,answer\n1,no\n2,no\u{200b}\n3,yes\n4,Ko\u{308}ln\n5,Köln\n".as_bytes()).unwrap();
    assert_eq!(column(&table, "answer").values, ["no", "yes", "Köln"]);
    assert!(has_remark(&table, "Invisible characters were removed from 1 cell"));
}

#[test]
fn doubts_name_the_field_that_decides() {
    for (text, field) in [
        ("age;salary;y\n62;1.588;no\n44;269;yes\n", "decimal"),
        ("0,1,2\n2.5,0.5,1\n3.5,1.5,0\n", "header"),
        ("a;b;y\nx;1,5;no\ny;2,5;yes\nSumme;4;\n", "skip_rows"),
    ] {
        let table = Table::read(text.as_bytes()).unwrap();
        assert_eq!(table.doubts.first().map(|doubt| doubt.field.as_str()), Some(field), "{text}");
        let error = table.check_doubts().unwrap_err();
        assert!(error.field == field && error.nearest.is_some(), "{error:?}");
    }
    let read = |sign| {
        let choices = ReadingChoices { decimal: Some(sign), ..ReadingChoices::default() };
        Table::read_as(b"age;salary;y\n62;1.588;no\n44;269;yes\n", &choices).unwrap()
    };
    assert_eq!(range(&read(DecimalSign::Comma), "salary"), (269.0, 1588.0));
    assert_eq!(range(&read(DecimalSign::Point), "salary"), (1.588, 269.0));
    assert!(read(DecimalSign::Point).doubts.is_empty());
}

#[test]
fn choices_overrule_what_is_detected() {
    let read = |text: &str, choices: ReadingChoices| Table::read_as(text.as_bytes(), &choices).unwrap();
    let of = ReadingChoices::default;
    let text = "a;b\n1;2\n3;4\n";
    assert_eq!(read(text, ReadingChoices { header: Some(false), ..of() }).names, ["x1", "x2"]);
    assert_eq!(read(text, ReadingChoices { separator: Some(b','), ..of() }).names, ["a;b"]);
    assert_eq!(read(text, ReadingChoices { skip_lines: Some(1), ..of() }).lines, [2, 3]);
    assert_eq!(read(text, ReadingChoices { skip_rows: Some(vec![3]), ..of() }).lines, [2]);
    let merged = "n,city,y\n1,Bonn,0\n2,,1\n3,,0\n4,Aachen,1\n5,,0\n6,,1\n";
    assert_eq!(read(merged, of()).merged, ["city"]);
    let filled = read(merged, ReadingChoices { fill_down: vec!["city".into()], ..of() });
    assert_eq!(column(&filled, "city").counts, [3, 3]);
    let continents = "continent,n\nAS,1\nNA,2\nEU,3\nNA,4\n";
    assert!(has_remark(&read(continents, of()), "two-letter words"));
    let words = read(continents, ReadingChoices { words: vec!["NA".into()], ..of() });
    assert_eq!((column(&words, "continent").missing, column(&words, "continent").values.len()), (0, 3));
}

#[test]
fn the_decisions_are_one_line() {
    let table = Table::read("Bericht\n\nname;größe\nA;1,5\nB;2,5\n".as_bytes()).unwrap();
    assert_eq!(
        table.reading.describe(),
        "Read as: 2 rows × 2 columns, separator “;”, decimal comma, header in line 3; line 1 skipped."
    );
    let repeated = Table::read(b"a,b,c\n1,2,3\n1,2,3\n2,2,3\n").unwrap();
    assert!(has_remark(&repeated, "Row 3 is the same as an earlier row"));
}

#[test]
fn a_comma_after_a_dollar_sign_separates_thousands() {
    for text in ["n;price\n1;$1,200\n2;$3,400\n", "n,price\n1,\"£1,200\"\n2,\"£3,400\"\n"] {
        let table = Table::read(text.as_bytes()).unwrap();
        assert_eq!((table.doubts.len(), range(&table, "price").1), (0, 3400.0), "{text}");
        assert!(!has_remark(&table, "single mark"), "{text}");
    }
    let table = Table::read(b"n;price\n1;$1,50\n2;$3,400\n").unwrap();
    assert_eq!(range(&table, "price"), (1.5, 3.4), "another cell is sure");
}

#[test]
fn a_quote_that_is_not_closed_takes_in_no_rows() {
    let table = Table::read(b"a,y\n,0\n2,'1;7\n3\n4,1\n5").unwrap();
    assert_eq!(table.lines, [2, 3, 5], "an apostrophe");
    assert_eq!(table.malformed.iter().map(|row| row.line).collect::<Vec<_>>(), [4, 6]);
    let error = Table::read(b"a,y\n,0\n2,\"1;7\n3\n4,1\n5").unwrap_err();
    assert_eq!(error.row, Some(3));
    let closed = Table::read(b"a,y\n,0\n2,\"1;7\n3\"\n4,'no'").unwrap();
    assert_eq!(closed.lines, [2, 3, 5]);
    let error = Table::read(b"'a','y'\n'1''u5\n'2','v'\n'3','w'\n").unwrap_err();
    assert_eq!(error.row, Some(2), "the quote ends inside a word of the next row");
}

#[test]
fn amounts_have_signs_before_or_after_their_unit() {
    for written in ["-£1,200", "£-1,200", "(£1,200)", "£(1,200)", "−£1,200", "- £ 1,200", "£1,200-"]
    {
        let text = format!("n;owed\n1;£35\n2;{written}\n3;+£7\n");
        let table = Table::read(text.as_bytes()).unwrap();
        assert_eq!(range(&table, "owed"), (-1200.0, 35.0), "{written}");
    }
    for written in ["(1,200)", "-1,200", "1,200-", "−1,200"] {
        let table = Table::read(format!("n,owed\n1,35\n2,\"{written}\"\n").as_bytes()).unwrap();
        assert_eq!(range(&table, "owed"), (-1200.0, 35.0), "{written}");
    }
    for written in ["--£5", "-(5)", "£5€", "£", "£-", "5-5", "(5", "€5", "£5 -"] {
        let table = Table::read(format!("n;owed\n1;£35\n2;{written}\n").as_bytes()).unwrap();
        assert_eq!(column(&table, "owed").kind, crate::ColumnKind::Text, "{written}");
    }
}

#[test]
fn no_cell_is_added_to_a_row_of_values() {
    let table = Table::read(b"a\tb\nr1\t1\ty\nr2\t2\tz\n").unwrap();
    assert_eq!((table.names.join(","), table.rows()), ("row,a,b".to_owned(), 2), "R's header");
    let error = Table::read(b"NA\ty\nk\t65\tm\nl\t940\ts\n").unwrap_err();
    assert_eq!(error.row, Some(2), "a missing value is not a name");
}
