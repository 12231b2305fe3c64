//! Decoding of files: their encoding, and recognition of files that are not text tables.

use std::borrow::Cow;

use super::error::DataError;
use super::reading::Encoding;

/// Instructions for saving a table as text in spreadsheet programs.
const SAVE_AS_CSV: &str =
    "save the sheet as CSV (in Excel: File, Save As, “CSV UTF-8”; in LibreOffice: File, Save As, “Text CSV”)";

/// First bytes of other file formats, with a description.
const OTHER_FORMATS: [(&[u8], &str); 18] = [
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"%PDF", "a PDF document; save the table as CSV"),
    (b"PAR1", "a Parquet file; save it as CSV (in Python: pandas.read_parquet(…).to_csv(…))"),
    (b"ARROW1", "a Feather file; save it as CSV (in Python: pandas.read_feather(…).to_csv(…))"),
    (b"\x93NUMPY", "a NumPy array; save it as CSV (in Python: numpy.savetxt(…, delimiter=\",\"))"),
    (b"\x89HDF", "an HDF5 file; save the table as CSV"),
    (b"MATLAB 5.0", "a MATLAB file; save the table as CSV (in MATLAB: writetable)"),
    (b"SQLite format 3", "an SQLite database; save the table as CSV"),
    (b"$FL2", "an SPSS file; save it as CSV (in SPSS: File, Save As)"),
    (b"RDX", "an R data file; save the table as CSV (in R: write.csv)"),
    (b"X\n\0\0", "an R data file; save the table as CSV (in R: write.csv)"),
    (b"<stata_dta>", "a Stata file; save it as CSV (in Stata: export delimited)"),
    (b"BZh", "a file compressed with bzip2; decompress it or use gzip instead"),
    (b"\xfd7zXZ", "a file compressed with xz; decompress it or use gzip instead"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with Zstandard; decompress it or use gzip instead"),
    (b"7z\xbc\xaf", "a 7-Zip archive; extract the table from it"),
    (b"Rar!", "a RAR archive; extract the table from it"),
];

/// Number of leading bytes of a zip archive that are searched for the names of its files.
const ZIP_HEAD: usize = 4096;

/// First characters of text files that are not tables, in lower case, with a description.
const OTHER_TEXTS: [(&str, &str); 5] = [
    ("<!doctype", "a web page; download the file itself"),
    ("<html", "a web page; download the file itself"),
    ("<?xml", "an XML document; save the table as CSV"),
    ("@relation", "an ARFF file; save it as CSV"),
    ("[{", "a JSON file; save the table as CSV"),
];

/// Characters of the bytes 0x80 to 0x9f in Windows-1252; unused bytes are control characters, as in the Encoding Standard.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file, with a remark if the encoding is uncertain.
#[derive(Debug)]
pub(super) struct DecodedText<'a> {
    pub text: Cow<'a, str>,
    pub encoding: Encoding,
    pub remark: Option<&'static str>,
}

/// Decodes UTF-8 and UTF-16; other text is read as Windows-1252. A given encoding is kept.
///
/// # Errors
/// If the file is empty or not text.
pub(super) fn decode(bytes: &[u8], given: Option<Encoding>) -> Result<DecodedText<'_>, DataError> {
    check_format(bytes)?;
    let problem = |why: String| DataError { row: Some(1), column: None, why };
    let encoding = given.unwrap_or_else(|| encoding_of(bytes));
    let (text, remark): (Cow<'_, str>, _) = match encoding {
        Encoding::Utf16 => (utf16(bytes)?.into(), None),
        Encoding::Utf8 => (std::str::from_utf8(bytes).map_err(|e| not_utf8(bytes, e.valid_up_to()))?.into(), None),
        Encoding::Windows1252 => (
            bytes.iter().copied().map(windows_1252).collect(),
            given.is_none().then_some(
                "The file is not UTF-8; it was read as Windows-1252. If letters with accents are wrong, save it as UTF-8.",
            ),
        ),
    };
    if let Some(position) = text.find('\0') {
        let row = 1 + text[..position].matches('\n').count();
        return Err(DataError { row: Some(row), column: None, why: "this is not a text file".into() });
    }
    let control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    if encoding == Encoding::Windows1252 && text.chars().take(1_000).any(control) {
        return Err(problem("this is not a text file".into()));
    }
    if text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        return Err(problem("the file is empty".into()));
    }
    let text = match text {
        Cow::Borrowed(text) => text.trim_start_matches('\u{feff}').into(),
        Cow::Owned(text) if text.starts_with('\u{feff}') => {
            text.trim_start_matches('\u{feff}').to_owned().into()
        }
        text @ Cow::Owned(_) => text,
    };
    Ok(DecodedText { text, encoding, remark })
}

/// Refuses files of other formats.
fn check_format(bytes: &[u8]) -> Result<(), DataError> {
    let problem = |why: String| DataError { row: Some(1), column: None, why };
    let start = without_marks(bytes).trim_ascii_start();
    let starts_with =
        |with: &str| start.get(..with.len()).is_some_and(|text| text.eq_ignore_ascii_case(with.as_bytes()));
    if let Some((_, what)) = OTHER_TEXTS.iter().find(|(with, _)| starts_with(with)) {
        return Err(problem(format!("this is not a table but {what}")));
    }
    let format = OTHER_FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic));
    match format.map(|(_, what)| (*what).to_owned()).or_else(|| workbook(bytes)) {
        Some(what) => Err(DataError::new(format!("this is not a text file but {what}"))),
        None => Ok(()),
    }
}

/// Describes a spreadsheet workbook or another zip archive; `None` for other files.
fn workbook(bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Some(format!("an old Excel workbook; {SAVE_AS_CSV}"));
    }
    let head = bytes.starts_with(b"PK\x03\x04").then(|| &bytes[..bytes.len().min(ZIP_HEAD)])?;
    let contains = |name: &[u8]| head.windows(name.len()).any(|part| part == name);
    Some(if contains(b"opendocument.spreadsheet") {
        format!("an OpenDocument spreadsheet; {SAVE_AS_CSV}")
    } else if contains(b"[Content_Types].xml") || contains(b"xl/") {
        format!("an Excel workbook; {SAVE_AS_CSV}")
    } else if contains(b".npy") {
        "an archive of NumPy arrays; save one array as CSV (in Python: numpy.savetxt(…, delimiter=\",\"))"
            .to_owned()
    } else {
        format!("a zip archive; extract the table from it or, if it is a workbook, {SAVE_AS_CSV}")
    })
}

/// Returns a file without the byte-order marks of UTF-8 at its beginning.
pub(super) fn without_marks(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        bytes = rest;
    }
    bytes
}

/// Determines the encoding: UTF-16 by its mark or by every other byte being zero, UTF-8 by its rules.
fn encoding_of(bytes: &[u8]) -> Encoding {
    let start = &bytes[..bytes.len().min(1_000)];
    let zeros = |from: usize| start.iter().skip(from).step_by(2).filter(|b| **b == 0).count();
    let half = start.len() / 2;
    let is_wide =
        half > 3 && (zeros(1) * 10 > half * 7 && zeros(0) == 0 || zeros(0) * 10 > half * 7 && zeros(1) == 0);
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Encoding::Utf16,
        _ if is_wide => Encoding::Utf16,
        _ if std::str::from_utf8(bytes).is_ok() => Encoding::Utf8,
        _ => Encoding::Windows1252,
    }
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn not_utf8(bytes: &[u8], valid: usize) -> DataError {
    let row = bytes[..valid].split(|b| *b == b'\n').count();
    DataError { row: Some(row), column: None, why: "this is not UTF-8; choose another encoding".into() }
}

fn utf16(bytes: &[u8]) -> Result<String, DataError> {
    let (bytes, is_little) = match bytes {
        [0xff, 0xfe, rest @ ..] => (rest, true),
        [0xfe, 0xff, rest @ ..] => (rest, false),
        _ => (bytes, bytes.get(1) == Some(&0)),
    };
    let unit = |pair: &[u8]| {
        let pair = [pair[0], pair[1]];
        if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    };
    let text: Result<String, _> = char::decode_utf16(bytes.chunks_exact(2).map(unit)).collect();
    match text {
        Ok(text) if bytes.len().is_multiple_of(2) => Ok(text),
        _ => Err(DataError::new("this begins like UTF-16 text but is not; save it as UTF-8")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(bytes: &[u8]) -> String {
        decode(bytes, None).unwrap_err().to_string()
    }

    #[test]
    fn utf8_utf16_and_latin1_are_decoded() {
        let text = "a,größe\n1,2\n";
        let read = |bytes: &[u8]| decode(bytes, None).unwrap().text.into_owned();
        assert_eq!(read(text.as_bytes()), text);
        assert_eq!(read(format!("\u{feff}{text}").as_bytes()), text);
        let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(order).collect()
        };
        assert_eq!(read(&utf16(u16::to_le_bytes)), text);
        assert_eq!(read(&utf16(u16::to_be_bytes)), text);
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let decoded = decode(&latin, None).unwrap();
        assert_eq!((&*decoded.text, decoded.remark.is_some()), (text, true));
    }

    #[test]
    fn other_file_formats_are_named_in_the_error() {
        assert!(error_of(b"\x89PNG\r\n\x1a\n").contains("a PNG image"));
        let workbooks = [
            (b"PK\x03\x04\x14\0[Content_Types].xml\0xl/workbook.xml".as_slice(), "an Excel workbook"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel workbook"),
            (b"PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK", "an OpenDocument"),
            (b"PK\x03\x04\x14\0table.csv", "a zip archive"),
        ];
        for (bytes, name) in workbooks {
            let error = error_of(bytes);
            assert!(
                error.contains(name)
                    && error.contains("Excel: File, Save As")
                    && error.contains("LibreOffice"),
                "{error}"
            );
        }
        for (magic, what) in OTHER_FORMATS {
            assert!(error_of(&[magic, b"\0\x01a"].concat()).ends_with(what));
        }
        assert!(error_of(b"\n<!DOCTYPE html>\n<html>").contains("a web page"));
        assert!(error_of(b"@RELATION iris\n").contains("ARFF"));
        assert!(error_of(b"[{\"a\": 1}]").contains("JSON"));
        assert!(error_of(b"a,b\n1,\x002\n").starts_with("row 2: this is not a text file"));
        assert!(error_of(b"\x80\x01\x02\xff").contains("not a text file"));
        assert!(error_of(&[0xff, 0xfe, b'a', 0, 0]).contains("UTF-16"));
        assert_eq!(error_of(b" \n\n"), "row 1: the file is empty");
    }
}
