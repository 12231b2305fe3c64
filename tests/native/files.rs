//! Typical files and how each is read, and 10⁵ of them with a few changed bytes: no row is lost silently.

use meanfield::data::{Column, Encoding, Header, Table};

/// Describes how a file is read: its columns with n for numbers and w for words, the number of rows, and the missing cells; or the
/// reason of its refusal.
fn read_as(bytes: &[u8]) -> String {
    match Table::read(bytes) {
        Ok(table) => {
            let facts = table.facts();
            let column = |(name, column): (&String, &Column)| {
                format!("{name}:{}", if matches!(column, Column::Numbers(_)) { 'n' } else { 'w' })
            };
            let columns: Vec<String> = table.names.iter().zip(&table.columns).map(column).collect();
            let missing: usize = facts.columns.iter().map(|column| column.missing).sum();
            let lacking = if missing > 0 { format!(" −{missing}") } else { String::new() };
            let read = format!("{} ×{}{lacking}", columns.join(" "), table.rows());
            let remarks = facts.remarks.into_iter().chain(facts.header.remark());
            std::iter::once(read).chain(remarks).collect::<Vec<_>>().join(" | ")
        }
        Err(why) => format!("refused: {why}"),
    }
}

#[test]
fn files_are_read_as_intended() {
    for (bytes, wanted) in FILES {
        assert_eq!(read_as(bytes), *wanted, "{}", String::from_utf8_lossy(bytes));
    }
}

/// Returns the lost lines of a text without quotes: lines with content that are neither a row nor the header, and that neither a
/// remark nor the decisions mention.
fn lost(text: &str, table: &Table) -> Vec<usize> {
    let facts = table.facts();
    let remarks = facts.remarks.join(" ");
    let header = usize::from(facts.header == Header::Found);
    let malformed: Vec<usize> = table.malformed.iter().map(|row| row.line).collect();
    let first = table.lines.first().copied().unwrap_or(0);
    // In a file of CR LF, a lone LF is a part of a cell, which a remark says.
    let joins_lines = remarks.contains("single line breaks inside them belong to their cells");
    let joined = text.replace("\r\n", "\r");
    let follows_lone_break: Vec<bool> = std::iter::once(false)
        .chain(joined.matches(['\n', '\r']).map(|end| joins_lines && end == "\n"))
        .collect();
    let mut before_the_table = header;
    let mut lost = Vec::new();
    for (i, line) in text.replace("\r\n", "\n").split(['\n', '\r']).enumerate() {
        let number = i + 1;
        let bare = line.trim_matches(|c: char| c.is_whitespace() || ",;\t|'\u{feff}".contains(c));
        let reported = facts.reading.skipped.contains(&number) || follows_lone_break[i];
        if bare.is_empty() || reported || malformed.contains(&number) || table.lines.contains(&number) {
            continue;
        }
        if number < first && before_the_table > 0 {
            before_the_table -= 1;
            continue;
        }
        lost.push(number);
    }
    lost
}

/// Reads so many files with a few changed bytes, and returns the number of those that were accepted.
fn changed_files(count: u64) -> u64 {
    // Bytes with a meaning in tables, and others.
    const BYTES: &[u8] = b",;\t|\n\r\"'#.-+eE%$0123456789NAax \xff\0\xc3";
    let mut read = 0;
    for seed in 0..count {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
        let mut draw = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut bytes = FILES[draw(FILES.len())].0.to_vec();
        for _ in 0..=draw(6) {
            let at = draw(bytes.len() + 1);
            match draw(4) {
                0 if at < bytes.len() => drop(bytes.remove(at)),
                1 if at < bytes.len() => bytes[at] = BYTES[draw(BYTES.len())],
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at.min(bytes.len()), BYTES[draw(BYTES.len())]),
            }
        }
        let Ok(table) = Table::read(&bytes) else { continue };
        read += 1;
        let width = table.columns.len();
        assert!(width > 0 && table.names.len() == width && table.rows() > 0, "{bytes:?}");
        assert!(table.lines.windows(2).all(|two| two[0] < two[1]), "{bytes:?}");
        // Quoted text may contain any line.
        if let Ok(text) = std::str::from_utf8(&bytes)
            && table.reading.encoding == Encoding::Utf8
            && table.reading.quote == '"'
            && !text.contains('"')
        {
            let lost = lost(text, &table);
            assert!(lost.is_empty(), "lines {lost:?} of {text:?}: {}", read_as(&bytes));
        }
    }
    read
}

#[test]
fn no_change_of_a_few_bytes_loses_a_row_silently() {
    let read = changed_files(5_000);
    assert!(read > 2_000, "{read}");
}

#[test]
#[ignore = "takes a minute; scripts/test --full runs it"]
fn no_change_of_100_000_files_loses_a_row_silently() {
    changed_files(100_000);
}

const FILES: &[(&[u8], &str)] = &[
    // Spreadsheets
    (b"a,b,y\r\n1,2,no\r\n3,4,yes\r\n", "a:n b:n y:w ×2"),
    (b"\xef\xbb\xbfa;b;y\r\n1,5;2,5;no\r\n3;4;yes\r\n", "a:n b:n y:w ×2"),
    (b"\xff\xfea\0,\0y\0\n\x001\0,\x002\0\n\0", "a:n y:n ×1"),
    (b"sep=;\na;y\n1;0\n2;1\n", "a:n y:n ×2"),
    (
        b"Report of May,,\n,,\na,b,y\n1,2,0\n3,4,1\n,,\n",
        "a:n b:n y:n ×2 | Line 1 was skipped: “Report of May” stands alone above the table.",
    ),
    (b"a,b,y,\n1,2,0,\n3,4,1,\n", "a:n b:n y:n ×2 | Column x4 is empty and is left out."),
    (b"a,b,y\n1,#N/A,0\n3,#DIV/0!,1\n5,6,1\n", "a:n b:n y:n ×3 −2"),
    (
        b"price,y\n\"$1,200\",0\n\"$3,400\",1\n",
        "price:n y:n ×2 | Not only numbers in: price. Percent signs, currency signs and thousands separators are ignored; “-”, “.” and “none” are missing values.",
    ),
    (
        b"share,y\n12%,0\n8.5%,1\n",
        "share:n y:n ×2 | Not only numbers in: share. Percent signs, currency signs and thousands separators are ignored; “-”, “.” and “none” are missing values.",
    ),
    (b"date,x,y\n2024-01-01,1,0\n2024-01-02,2,1\n", "date:w x:n y:n ×2"),
    (
        b"a,b,y\n1,2,0\n3,4,1\nTotal,6,\n",
        "a:w b:n y:n ×3 −1 | Column a is used as words and not as numbers, since one of its cells is “Total” (row 4).",
    ),
    (
        "größe,y\n1,5,0\n".as_bytes(),
        "row:n größe:n y:n ×1 | The first line has one name fewer than there are columns: the first column is called “row”. | Column row seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input.",
    ),
    (
        b"gr\xf6\xdfe;y\n1,5;0\n2,5;1\n",
        "größe:n y:n ×2 | The file is not UTF-8; it was read as Windows-1252. If letters with accents are wrong, save it as UTF-8.",
    ),
    (b"a\ty\n1\t0\n2\t1\n", "a:n y:n ×2"),
    // Statistics programs
    (
        b"\"\",\"a\",\"y\"\n\"1\",1.5,\"u\"\n\"2\",2.5,\"v\"\n",
        "x1:n a:n y:w ×2 | Column x1 seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input.",
    ),
    (
        b"\"a\" \"y\"\n\"1\" 1.5 \"u\"\n\"2\" 2.5 \"v\"\n",
        "row:n a:n y:w ×2 | The first line has one name fewer than there are columns: the first column is called “row”. | Column row seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input.",
    ),
    (
        b",a,y\n0,1.5,u\n1,2.5,v\n",
        "x1:n a:n y:w ×2 | Column x1 seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input.",
    ),
    (b"a,y\n1,TRUE\n2,FALSE\nNA,TRUE\n", "a:n y:w ×3 −1"),
    (
        b"a,y\n1,0\n.,1\n3,1\n",
        "a:n y:n ×3 −1 | Not only numbers in: a. Percent signs, currency signs and thousands separators are ignored; “-”, “.” and “none” are missing values.",
    ),
    (
        b"a,y\n-999,0\n1,1\n2,0\n3,1\n",
        "a:n y:n ×4 | -999 is far from all other values in: a. If it means a missing value, enter it under “Missing-value codes”; otherwise it is used as a number.",
    ),
    (
        b"# made by a program\na,y\n1,0\n2,1\n",
        "a:n y:n ×2 | 1 line with # in front is a comment and was skipped.",
    ),
    (
        b"1 1:0.5 2:0.25\n-1 1:0.75 3:1\n",
        "x1:n x2:w x3:w ×2 | There is no header: the columns are x1, x2, …, and the first row is an example.",
    ),
    (
        b"   1.0   2.0   0\n   3.0   4.0   1\n",
        "x1:n x2:n x3:n ×2 | There is no header: the columns are x1, x2, …, and the first row is an example.",
    ),
    (
        b"@relation t\n@attribute a numeric\n@attribute y {0,1}\n@data\n1,0\n2,1\n",
        "refused: row 1: this is not a table but an ARFF file; save it as CSV",
    ),
    // Databases
    (
        b"id,a,y\n1,2.5,NULL\n2,3.5,x\n3,1.5,z\n",
        "id:n a:n y:w ×3 −1 | Column id seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input.",
    ),
    (b"'a','y'\n'1','u'\n'2','v'\n", "a:n y:w ×2"),
    (b"a|y\n1|0\n2|1\n", "a:n y:n ×2"),
    (
        b"id | a | y\n----+---+---\n1 | 2 | 0\n2 | 3 | 1\n",
        "id:n a:n y:n ×2 | Line 2 was skipped: “----+---+---” stands alone under the table. | Column id seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input.",
    ),
    (b"a,note,y\n1,\"two\nlines\",0\n2,\"one, with comma\",1\n", "a:n note:w y:n ×2"),
    (b"a,note,y\n1,\"he said \"\"no\"\"\",0\n2,x,1\n", "a:n note:w y:n ×2"),
    (
        b"<html><body><table></table></body></html>",
        "refused: row 1: this is not a table but a web page; download the file itself",
    ),
    (
        b"<?xml version=\"1.0\"?><a/>",
        "refused: row 1: this is not a table but an XML document; save the table as CSV",
    ),
    // By hand
    (
        b"a,y\n1,0\n2,1,7\n3\n4,1\n5,0\n",
        "a:n y:n ×3 | Rows that do not have 2 cells like the first: row 3 has 3, row 4 has 1.",
    ),
    (b"a,a,y\n1,2,0\n3,4,1\n", "a:n a (2):n y:n ×2"),
    (
        b"a,,y\n1,2,0\n3,4,1\n",
        "a:n x2:n y:n ×2 | Column x2 seems to identify the rows: all its values are different. Choose it as the ID column; otherwise it is used as an input.",
    ),
    (
        b"1,2,0\n3,4,1\n5,6,0\n",
        "x1:n x2:n x3:n ×3 | There is no header: the columns are x1, x2, …, and the first row is an example.",
    ),
    (b"a,b,y\n", "refused: row 2: there is a header, but no row under it"),
    (b"", "refused: row 1: the file is empty"),
    (b"   \n\n", "refused: row 1: the file is empty"),
    (b"a\n1\n2\n", "a:n ×2"),
    (
        b"a,y\n1,Yes\n2,no\n3,yes\n",
        "a:n y:w ×3 | Column y: “Yes” and “yes” differ only in case or blanks and are used as two values.",
    ),
    (b"2020,2021,y\n1,2,0\n3,4,1\n", "2020:n 2021:n y:n ×2"),
    (b"a,y\n1e400,0\n1,1\n", "a:w y:n ×2"),
    ("a,y\n−1,0\n2,1\n".as_bytes(), "a:n y:n ×2"),
    (
        b"a,y\n1 000,0\n2 000,1\n",
        "a:n y:n ×2 | Not only numbers in: a. Percent signs, currency signs and thousands separators are ignored; “-”, “.” and “none” are missing values.",
    ),
    (
        b"a;y\n1.000,5;0\n2.000,5;1\n",
        "a:n y:n ×2 | Not only numbers in: a. Percent signs, currency signs and thousands separators are ignored; “-”, “.” and “none” are missing values.",
    ),
    (b"time,y\n12:30,0\n14:05,1\n", "time:w y:n ×2"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "refused: this is not a text file but a PNG image"),
    (
        b"PK\x03\x04xl/workbook.xml",
        "refused: this is not a text file but an Excel workbook; save the sheet as CSV (in Excel: File, Save As, “CSV UTF-8”; in LibreOffice: \
         File, Save As, “Text CSV”)",
    ),
    (b"a,y\n1,0\n2,\"1\n", "a:n y:n ×2"),
];
