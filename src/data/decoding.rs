//! Decoding of files: their encoding, and recognition of files that are not text tables.

use std::borrow::Cow;

use super::error::DataProblem;

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

/// The text of a file, with a remark if the encoding is uncertain.
#[derive(Debug)]
pub(super) struct DecodedText<'a> {
    pub text: Cow<'a, str>,
    pub remark: Option<&'static str>,
}

/// Decodes UTF-8 and UTF-16; other text is read as Latin-1.
///
/// # Errors
/// If the file is empty or not text.
pub(super) fn decode(bytes: &[u8]) -> Result<DecodedText<'_>, DataProblem> {
    let problem = |why: String| DataProblem { row: Some(1), column: None, why };
    let start = bytes.trim_ascii_start();
    let starts_with =
        |with: &str| start.get(..with.len()).is_some_and(|text| text.eq_ignore_ascii_case(with.as_bytes()));
    if let Some((_, what)) = OTHER_TEXTS.iter().find(|(with, _)| starts_with(with)) {
        return Err(problem(format!("this is not a table but {what}")));
    }
    if let Some((_, what)) = OTHER_FORMATS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(problem(format!("this is not a text file but {what}")));
    }
    let decoded = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => {
                DecodedText { text: text.strip_prefix('\u{feff}').unwrap_or(text).into(), remark: None }
            }
            Err(_) => DecodedText {
                text: bytes.iter().copied().map(char::from).collect(),
                remark: Some(
                    "The file is not UTF-8; it was read as Latin-1. If letters with accents are wrong, save it as UTF-8.",
                ),
            },
        },
    };
    let control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    if let Some(position) = decoded.text.find('\0') {
        let row = 1 + decoded.text[..position].matches('\n').count();
        return Err(DataProblem { row: Some(row), column: None, why: "this is not a text file".into() });
    }
    if decoded.remark.is_some() && decoded.text.chars().take(1_000).any(control) {
        return Err(problem("this is not a text file".into()));
    }
    if decoded.text.trim().is_empty() {
        return Err(problem("the file is empty".into()));
    }
    Ok(decoded)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<DecodedText<'static>, DataProblem> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    match text {
        Ok(text) if bytes.len().is_multiple_of(2) => Ok(DecodedText { text: text.into(), remark: None }),
        _ => Err(DataProblem::new("this begins like UTF-16 text but is not; save it as UTF-8")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(bytes: &[u8]) -> String {
        decode(bytes).unwrap_err().to_string()
    }

    #[test]
    fn utf8_utf16_and_latin1_are_decoded() {
        let text = "a,größe\n1,2\n";
        let read = |bytes: &[u8]| decode(bytes).unwrap().text.into_owned();
        assert_eq!(read(text.as_bytes()), text);
        assert_eq!(read(format!("\u{feff}{text}").as_bytes()), text);
        let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(order).collect()
        };
        assert_eq!(read(&utf16(u16::to_le_bytes)), text);
        assert_eq!(read(&utf16(u16::to_be_bytes)), text);
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let decoded = decode(&latin).unwrap();
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
