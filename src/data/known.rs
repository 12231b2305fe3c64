//! Data sets that everybody knows: what their files are called, how they are recognised, and where they come from.
//! None but the two examples is shipped. The page looks for them in what the browser keeps and in `data/` beside it, and on
//! request fetches them from a public address; the command line looks in `$MEANFIELD_DATA`, or else in `./data`.

use super::reference::{DataRef, Hash};

/// A data set that is named by a word, as in `data=sonar`.
#[derive(Debug, PartialEq, Eq)]
pub struct KnownSet {
    /// That word.
    pub name: &'static str,
    /// What it holds, in a few words.
    pub title: &'static str,
    /// Who made it, and where it was first used.
    pub citation: &'static str,
    /// All of them are needed. A set without files is drawn by the program of the model that has it.
    pub files: &'static [KnownFile],
}

impl KnownSet {
    /// Whether its file comes with the page and with the command line.
    pub fn shipped(&self) -> bool {
        matches!(self.files, [file] if file.address.is_empty())
    }
}

/// One file of a [`KnownSet`].
#[derive(Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// Where it is looked for in a folder of data, the first that is there. A compressed file is as good as a plain one.
    pub paths: &'static [&'static str],
    /// Size of its contents in bytes, uncompressed.
    pub bytes: usize,
    /// Hash of its contents, uncompressed and in the form of this project: nothing else is taken for it.
    pub hash: Hash,
    /// What is in it.
    pub contents: &'static str,
    /// Where it, or another [`AlternativeForm`] of it, can be had; empty for what is shipped.
    pub address: &'static str,
    /// Size in bytes of what comes from that address; a host may have compressed it a little differently.
    pub download: usize,
    /// Other forms, which are put into this one when they are read.
    pub forms: &'static [AlternativeForm],
}

impl KnownFile {
    /// Whether these uncompressed bytes are its contents, in any of its forms.
    pub fn is(&self, bytes: &[u8]) -> bool {
        let breaks = bytes.iter().rev().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        let bare = &bytes[..bytes.len() - breaks];
        let form = |form: &AlternativeForm| form.bytes == bare.len() && form.hash == Hash::of(bare);
        self.bytes == bytes.len() && self.hash == Hash::of(bytes) || self.forms.iter().any(form)
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        last_part(self.address)
    }

    /// The public host that has it.
    pub fn host(&self) -> &'static str {
        self.address.split('/').nth(2).unwrap_or_default()
    }
}

/// What follows the last slash.
fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Another form of a file, without the line breaks at its end.
#[derive(Debug, PartialEq, Eq)]
pub struct AlternativeForm {
    /// Size in bytes.
    pub bytes: usize,
    /// Hash of these bytes.
    pub hash: Hash,
    /// The same table in another dress.
    pub of: FileVariant,
}

/// How a form differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileVariant {
    /// It lacks this header.
    Headless(&'static str),
    /// The sonar data as they are usually found: rocks before mines, no header, and no word of which rows are the training
    /// half of the aspect-angle split; these are, counted from 1, first and last of each stretch.
    Sonar(&'static [(usize, usize)]),
}

/// The known set of that name, with or without `.csv`.
pub fn find(name: &str) -> Option<&'static KnownSet> {
    let name = name.strip_suffix(".csv").unwrap_or(name);
    SETS.iter().find(|set| set.name == name)
}

/// The known file with these contents.
pub fn file(content: Hash) -> Option<&'static KnownFile> {
    SETS.iter().flat_map(|set| set.files).find(|file| file.hash == content)
}

/// The known set of several files one of which is called that, and the file.
pub fn of_several(name: &str) -> Option<(&'static KnownSet, &'static KnownFile)> {
    let called = |file: &&KnownFile| file.paths.iter().any(|path| last_part(path) == name);
    SETS.iter().filter(|set| set.files.len() > 1).find_map(|set| Some((set, set.files.iter().find(called)?)))
}

/// The known set that consists of one file, and of these bytes in one of its forms.
pub fn recognised(bytes: &[u8]) -> Option<DataRef> {
    let set = SETS.iter().find(|set| matches!(set.files, [file] if file.is(bytes)))?;
    Some(DataRef { name: set.name.to_owned(), hash: None })
}

/// All of them.
pub static SETS: &[KnownSet] = &[
    KnownSet {
        name: "example",
        title: "200 simulated patients, 6 measurements, ill or well; the least possible error is 6.6 %",
        citation: "simulated for this project",
        files: &[KnownFile {
            paths: &["example.csv"],
            bytes: 5432,
            hash: Hash::from_bits(0x3147_f95f_f508_e292),
            contents: "200 rows, 6 inputs",
            address: "",
            download: 0,
            forms: &[],
        }],
    },
    KnownSet {
        name: "yield",
        title: "180 simulated field plots: rain (mm), temperature (°C), nitrogen (kg/ha), soil pH, elevation (m), and the yield of \
                wheat (t/ha), with noise of standard deviation 0.4",
        citation: "simulated for this project",
        files: &[KnownFile {
            paths: &["yield.csv"],
            bytes: 4612,
            hash: Hash::from_bits(0xe193_e6b3_161c_06f6),
            contents: "180 rows, 5 inputs and yield",
            address: "",
            download: 0,
            forms: &[],
        }],
    },
    KnownSet {
        name: "sonar",
        title: "sonar echoes of a metal cylinder (mine, M) and of rocks (R), 60 frequency bands",
        citation: "R. P. Gorman and T. J. Sejnowski, Neural Networks 1, 75 (1988); UCI Machine Learning Repository",
        files: &[KnownFile {
            paths: &["sonar.csv"],
            bytes: 89_163,
            hash: Hash::from_bits(0xbd4d_73f8_f1c4_b889),
            contents: "208 rows, 60 inputs; 111 M, 97 R; training and test half of 104 rows each",
            address: "https://raw.githubusercontent.com/jbrownlee/Datasets/master/sonar.csv",
            download: 87_775,
            forms: &[AlternativeForm {
                bytes: 87_775,
                hash: Hash::from_bits(0x3824_aadb_8305_c494),
                of: FileVariant::Sonar(SONAR_TRAINING),
            }],
        }],
    },
    KnownSet {
        name: "housing",
        title: "median house values in 506 districts of Boston, 13 inputs",
        citation: "D. Harrison and D. L. Rubinfeld, J. Environ. Econ. Manage. 5, 81 (1978); StatLib. Its column B is derived \
                   from race; the set is here only for comparison with the paper that used it",
        files: &[KnownFile {
            paths: &["housing.csv"],
            bytes: 41_359,
            hash: Hash::from_bits(0xb0c7_e145_79a5_dbaf),
            contents: "506 rows, 13 inputs and MEDV",
            address: "https://raw.githubusercontent.com/jbrownlee/Datasets/master/housing.csv",
            download: 41_295,
            forms: &[AlternativeForm {
                bytes: 41_295,
                hash: Hash::from_bits(0x3e7f_26da_a7a3_2721),
                of: FileVariant::Headless("CRIM,ZN,INDUS,CHAS,NOX,RM,AGE,DIS,RAD,TAX,PTRATIO,B,LSTAT,MEDV"),
            }],
        }],
    },
    KnownSet { name: "none", title: "no table: choose a CSV file", citation: "", files: &[] },
    KnownSet {
        name: "strokes",
        title: "digits drawn by this program with a jittered pen: as many as are asked for, and no scans",
        citation: "made up for this project",
        files: &[],
    },
    KnownSet {
        name: "mnist",
        title: "scanned handwritten digits, 28×28 pixels: 60,000 for training and 10,000 for testing",
        citation: "Y. LeCun, L. Bottou, Y. Bengio and P. Haffner, Proc. IEEE 86, 2278 (1998)",
        files: &[
            KnownFile {
                paths: &[
                    "mnist/train-images-idx3-ubyte.gz",
                    "mnist/train-images-idx3-ubyte",
                    "train-images-idx3-ubyte.gz",
                    "train-images-idx3-ubyte",
                ],
                bytes: 47_040_016,
                hash: Hash::from_bits(0x89ed_70b3_d058_232f),
                contents: "60,000 training images",
                address: "https://raw.githubusercontent.com/fgnt/mnist/master/train-images-idx3-ubyte.gz",
                download: 9_912_422,
                forms: &[],
            },
            KnownFile {
                paths: &[
                    "mnist/train-labels-idx1-ubyte.gz",
                    "mnist/train-labels-idx1-ubyte",
                    "train-labels-idx1-ubyte.gz",
                    "train-labels-idx1-ubyte",
                ],
                bytes: 60_008,
                hash: Hash::from_bits(0x1f66_8b70_a51a_09f5),
                contents: "labels of the training images",
                address: "https://raw.githubusercontent.com/fgnt/mnist/master/train-labels-idx1-ubyte.gz",
                download: 28_881,
                forms: &[],
            },
            KnownFile {
                paths: &[
                    "mnist/t10k-images-idx3-ubyte.gz",
                    "mnist/t10k-images-idx3-ubyte",
                    "t10k-images-idx3-ubyte.gz",
                    "t10k-images-idx3-ubyte",
                ],
                bytes: 7_840_016,
                hash: Hash::from_bits(0x62bd_ad5a_9629_ee21),
                contents: "10,000 test images",
                address: "https://raw.githubusercontent.com/fgnt/mnist/master/t10k-images-idx3-ubyte.gz",
                download: 1_648_877,
                forms: &[],
            },
            KnownFile {
                paths: &[
                    "mnist/t10k-labels-idx1-ubyte.gz",
                    "mnist/t10k-labels-idx1-ubyte",
                    "t10k-labels-idx1-ubyte.gz",
                    "t10k-labels-idx1-ubyte",
                ],
                bytes: 10_008,
                hash: Hash::from_bits(0x4f1d_6dd9_5920_a1f9),
                contents: "labels of the test images",
                address: "https://raw.githubusercontent.com/fgnt/mnist/master/t10k-labels-idx1-ubyte.gz",
                download: 4_542,
                forms: &[],
            },
        ],
    },
];

/// The training half of Gorman and Sejnowski.
const SONAR_TRAINING: &[(usize, usize)] = &[
    (1, 5),
    (7, 11),
    (13, 18),
    (20, 20),
    (22, 22),
    (24, 26),
    (28, 31),
    (33, 34),
    (36, 37),
    (39, 39),
    (42, 43),
    (45, 45),
    (47, 49),
    (55, 55),
    (58, 60),
    (66, 66),
    (70, 71),
    (76, 76),
    (78, 78),
    (80, 82),
    (85, 85),
    (87, 87),
    (89, 89),
    (91, 91),
    (93, 94),
    (96, 96),
    (98, 99),
    (101, 101),
    (103, 104),
    (108, 108),
    (110, 110),
    (113, 114),
    (117, 117),
    (119, 120),
    (122, 122),
    (125, 125),
    (127, 128),
    (133, 133),
    (139, 141),
    (143, 143),
    (145, 145),
    (148, 151),
    (154, 154),
    (159, 159),
    (161, 161),
    (163, 163),
    (165, 165),
    (167, 169),
    (173, 174),
    (176, 176),
    (178, 181),
    (183, 183),
    (188, 188),
    (190, 190),
    (192, 192),
    (196, 197),
    (205, 205),
    (207, 207),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_set_of_several_is_known_by_its_name() {
        let found = |name: &str| of_several(name).map(|(set, file)| (set.name, file.contents));
        assert_eq!(found("t10k-labels-idx1-ubyte.gz"), Some(("mnist", "labels of the test images")));
        assert_eq!((found("sonar.csv"), found("mine.gz")), (None, None));
    }
}
