//! Decoding of files: their encoding, and recognition of files that are not text tables.

use std::borrow::Cow;

use super::error::DataProblem;
use super::reading::Encoding;

/// First bytes of other file formats, with a description.
const OTHER_FORMATS: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "an Excel workbook or another zip archive; save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; save the sheet as CSV"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"%PDF", "a PDF document"),
    (b"PAR1", "a Parquet file; save it as CSV"),
];

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
pub(super) fn decode(bytes: &[u8], given: Option<Encoding>) -> Result<DecodedText<'_>, DataProblem> {
    check_format(bytes)?;
    let problem = |why: String| DataProblem { row: Some(1), column: None, why };
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
        return Err(DataProblem { row: Some(row), column: None, why: "this is not a text file".into() });
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
fn check_format(bytes: &[u8]) -> Result<(), DataProblem> {
    let problem = |why: String| DataProblem { row: Some(1), column: None, why };
    let start = without_marks(bytes).trim_ascii_start();
    let starts_with =
        |with: &str| start.get(..with.len()).is_some_and(|text| text.eq_ignore_ascii_case(with.as_bytes()));
    if let Some((_, what)) = OTHER_TEXTS.iter().find(|(with, _)| starts_with(with)) {
        return Err(problem(format!("this is not a table but {what}")));
    }
    if let Some((_, what)) = OTHER_FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(problem(format!("this is not a text file but {what}")));
    }
    Ok(())
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

fn not_utf8(bytes: &[u8], valid: usize) -> DataProblem {
    let row = bytes[..valid].split(|b| *b == b'\n').count();
    DataProblem { row: Some(row), column: None, why: "this is not UTF-8; choose another encoding".into() }
}

fn utf16(bytes: &[u8]) -> Result<String, DataProblem> {
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
        _ => Err(DataProblem::new("this begins like UTF-16 text but is not; save it as UTF-8")),
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
        assert!(error_of(b"PK\x03\x04\0\0").contains("Excel workbook"));
        assert!(error_of(b"\n<!DOCTYPE html>\n<html>").contains("a web page"));
        assert!(error_of(b"@RELATION iris\n").contains("ARFF"));
        assert!(error_of(b"[{\"a\": 1}]").contains("JSON"));
        assert!(error_of(b"a,b\n1,\x002\n").starts_with("row 2: this is not a text file"));
        assert!(error_of(b"\x80\x01\x02\xff").contains("not a text file"));
        assert!(error_of(&[0xff, 0xfe, b'a', 0, 0]).contains("UTF-16"));
        assert_eq!(error_of(b" \n\n"), "row 1: the file is empty");
    }
}
