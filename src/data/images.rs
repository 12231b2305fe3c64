//! Images and labels in the IDX format of MNIST: a magic number, the sizes, and one byte per pixel.

use std::io::{ErrorKind, Read};

use super::error::DataError;
use super::facts::FileContent;
use super::hash::{Hash, HashingReader};

/// Greyscale images of equal size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    /// Height in pixels.
    pub rows: usize,
    /// Width in pixels.
    pub columns: usize,
    /// Pixels from 0 to 255, image by image and row by row.
    pub pixels: Vec<u8>,
    /// Class of each image, if known.
    pub labels: Option<Vec<u8>>,
}

/// The contents of an IDX file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IdxFile {
    Images(Images),
    Labels(Vec<u8>),
}

/// First bytes of an IDX file of unsigned bytes. The fourth byte is the number of sizes.
pub(super) const MAGIC: [u8; 3] = [0, 0, 8];
/// Maximum number of pixels.
const MAX_PIXELS: u64 = 1 << 30;

/// Names of the other kinds of numbers in an IDX file.
const OTHER_KINDS: [(u8, &str); 5] = [
    (9, "signed bytes"),
    (11, "whole numbers of two bytes"),
    (12, "whole numbers of four bytes"),
    (13, "floating-point numbers"),
    (14, "floating-point numbers of eight bytes"),
];

/// Refuses IDX files of other numbers than unsigned bytes.
///
/// # Errors
/// If the file is one, with the kind of its numbers.
pub(super) fn check_kind(file: &[u8]) -> Result<(), DataError> {
    let [0, 0, kind, 1..=8, ..] = file else { return Ok(()) };
    match OTHER_KINDS.iter().find(|(code, _)| code == kind) {
        Some((_, what)) => Err(DataError::new(format!(
            "this is an IDX file of {what}; only unsigned bytes from 0 to 255 are supported, so convert it"
        ))),
        None => Ok(()),
    }
}

impl Images {
    /// Returns the number of images.
    pub fn count(&self) -> usize {
        self.pixels.len() / (self.rows * self.columns)
    }

    /// Returns the pixels of an image, row by row.
    pub fn image(&self, i: usize) -> &[u8] {
        let size = self.rows * self.columns;
        &self.pixels[i * size..(i + 1) * size]
    }

    /// Adds a class to each image.
    ///
    /// # Errors
    /// If the numbers of images and labels differ.
    pub fn labelled(self, labels: &[u8]) -> Result<Self, DataError> {
        let (images, count) = (self.count(), labels.len());
        if images != count {
            return Err(DataError::new(format!("{count} labels do not belong to {images} images")));
        }
        Ok(Self { labels: Some(labels.to_vec()), ..self })
    }
}

impl IdxFile {
    /// Reads a file of at most `most` bytes without copying the pixels. Returns the hash of the contents as well.
    ///
    /// # Errors
    /// If the file is not a valid IDX file of images or labels.
    pub fn read(from: impl Read, most: usize) -> Result<(Self, Hash), DataError> {
        let mut from = HashingReader::new(from);
        let magic = from.sizes::<1>("its magic number")?[0];
        let (sizes, is_images): ([u64; 3], bool) = match magic {
            0x0803 => (from.sizes::<3>("the sizes")?.map(u64::from), true),
            0x0801 => ([u64::from(from.sizes::<1>("its number of labels")?[0]), 1, 1], false),
            other @ (0x0802 | 0x0804..=0x08ff) => {
                return Err(DataError::new(format!(
                    "this is an IDX file with {} sizes; images have 3 (number, height, width) and labels 1",
                    other & 0xff
                )));
            }
            other => {
                return Err(DataError::new(format!(
                    "the magic number is {other:#010x}; an IDX file begins with 0x00000803 (images of bytes) or 0x00000801 \
                     (labels)"
                )));
            }
        };
        let [count, rows, columns] = sizes;
        let bytes = count.checked_mul(rows).and_then(|n| n.checked_mul(columns));
        let Some(bytes) = bytes.filter(|bytes| (1..=MAX_PIXELS).contains(bytes)) else {
            return Err(DataError::new(format!(
                "{count} images of {rows} × {columns} pixels: none, or too many to be read"
            )));
        };
        // The header may be wrong: allocate no more than the file can hold.
        let mut all = Vec::new();
        all.try_reserve_exact((bytes as usize).min(most)).map_err(|_| {
            DataError::new(format!("not enough memory for {count} × {rows} × {columns} bytes"))
        })?;
        match from.by_ref().take(bytes).read_to_end(&mut all) {
            // A truncated compressed file ends with `UnexpectedEof`.
            Err(e) if e.kind() != ErrorKind::UnexpectedEof => return Err(damaged(&e)),
            _ => {}
        }
        if (all.len() as u64) < bytes {
            let found = all.len();
            return Err(DataError::new(format!(
                "the file is cut short: it has {found} of the {count} × {rows} × {columns} bytes in its header"
            )));
        }
        if from.fill(&mut [0])? > 0 {
            return Err(DataError::new(format!(
                "the file is longer than the {count} × {rows} × {columns} bytes in its header"
            )));
        }
        let idx = if is_images {
            Self::Images(Images { rows: rows as usize, columns: columns as usize, pixels: all, labels: None })
        } else {
            Self::Labels(all)
        };
        Ok((idx, from.hash()))
    }

    /// Returns the description of the contents.
    pub fn content(&self) -> FileContent {
        match self {
            Self::Images(images) => {
                FileContent::Images { count: images.count(), rows: images.rows, columns: images.columns }
            }
            Self::Labels(labels) => {
                let classes = labels.iter().max().map_or(0, |most| usize::from(*most) + 1);
                FileContent::Labels { count: labels.len(), classes }
            }
        }
    }
}

impl<R: Read> HashingReader<R> {
    /// Fills the buffer, up to the end of the file. Returns the number of bytes read.
    fn fill(&mut self, into: &mut [u8]) -> Result<usize, DataError> {
        let mut filled = 0;
        while filled < into.len() {
            match self.read(&mut into[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                // A truncated compressed file.
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => break,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(damaged(&e)),
            }
        }
        Ok(filled)
    }

    /// Reads N big-endian numbers.
    fn sizes<const N: usize>(&mut self, what: &str) -> Result<[u32; N], DataError> {
        let mut sizes = [0; N];
        for size in &mut sizes {
            let mut bytes = [0; 4];
            if self.fill(&mut bytes)? < 4 {
                return Err(DataError::new(format!("the file ends before {what}")));
            }
            *size = u32::from_be_bytes(bytes);
        }
        Ok(sizes)
    }
}

/// Returns the error of a compressed file that cannot be decompressed.
pub(super) fn damaged(error: &std::io::Error) -> DataError {
    DataError::new(format!("the compressed file is damaged: {error}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::read::GzDecoder;
    use flate2::write::GzEncoder;

    use super::*;

    /// Returns three images of 2 × 4 pixels.
    fn images() -> Vec<u8> {
        let mut bytes = vec![0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 4];
        bytes.extend(0..24_u8);
        bytes
    }

    fn labels() -> Vec<u8> {
        vec![0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 2]
    }

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn problem(bytes: &[u8]) -> String {
        IdxFile::read(bytes, bytes.len()).unwrap_err().to_string()
    }

    #[test]
    fn other_kinds_of_numbers_are_named() {
        let why = check_kind(&[0, 0, 13, 3, 0, 0, 0, 5]).unwrap_err().to_string();
        assert!(why.contains("floating-point"), "{why}");
        assert!(check_kind(&[0, 0, 8, 3]).is_ok() && check_kind(b"a,b\n").is_ok());
    }

    #[test]
    fn images_and_labels_are_read_plain_and_compressed() {
        let plain = IdxFile::read(images().as_slice(), 40).unwrap();
        assert_eq!(IdxFile::read(GzDecoder::new(compressed(&images()).as_slice()), 40).unwrap(), plain);
        assert_eq!(plain.1, Hash::of(&images()), "the hash is that of the contents");
        let IdxFile::Images(read) = plain.0 else { panic!("no images") };
        assert_eq!((read.count(), read.rows, read.columns), (3, 2, 4));
        assert_eq!(read.image(1), (8..16).collect::<Vec<u8>>());
        let (IdxFile::Labels(classes), _) = IdxFile::read(labels().as_slice(), 11).unwrap() else {
            panic!("no labels")
        };
        assert_eq!(read.clone().labelled(&classes).unwrap().labels, Some(vec![7, 0, 2]));
        assert_eq!(read.labelled(&[1]).unwrap_err().to_string(), "1 labels do not belong to 3 images");
        assert_eq!(IdxFile::Labels(classes).content(), FileContent::Labels { count: 3, classes: 8 });
    }

    #[test]
    fn errors_state_expected_and_found_values() {
        assert!(problem(&[0, 0, 13, 3, 0]).contains("0x00000d03"));
        assert!(problem(&[0, 0]).contains("before its magic number"));
        assert!(problem(&images()[..14]).contains("before the sizes"));
        assert!(problem(&images()[..30]).contains("14 of the 3 × 2 × 4 bytes"));
        assert!(problem(&[images(), vec![1]].concat()).contains("longer than"));
        assert!(
            problem(&[0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 9]).contains("too many")
        );
        let whole = compressed(&images());
        let cut = IdxFile::read(GzDecoder::new(&whole[..whole.len() - 12]), 40).unwrap_err().to_string();
        assert!(cut.contains("cut short"), "{cut}");
        let mut torn = whole;
        torn[14] ^= 0xff;
        assert!(IdxFile::read(GzDecoder::new(torn.as_slice()), 40).is_err());
    }
}
