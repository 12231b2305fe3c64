//! Command-line arguments.

use lexopt::Arg::{Long, Short, Value as Positional};
use lexopt::ValueExt as _;

use super::parts::{ShareOptions, parse_units};

/// The text of `--help`.
pub const USAGE: &str = "Usage: headless [options] TASK

Runs one task of Mean Field Lab and prints JSON Lines: started, progress, finished (or rejected, with exit status 2). TASK is
  '#/MODEL?key=value&…'   a permalink of the page,
  SPEC.json               a JSON file with the same keys and \"model\", or
  RUN.bin                 a run saved by --save-run or by the page; it is not computed again.
A setting that has no effect with the others is set to its default.

  --list              lists the tasks
  --help [TASK]       prints this text, or the settings of a task; --json prints them as JSON
  --jobs N            number of threads (default: all cores); the result does not depend on it
  --svg FILE          writes the first figure
  --csv FILE          writes the numbers of the first figure; with --figure predictions, one line per row of the table
  --figure ID         writes this figure instead of the first
  --table FILE        writes a table as it is read, as CSV; TASK may be settings of the reading, such as
                      'separator=semicolon&decimal=comma'; --json prints how it was read, its columns and remarks
  --json              prints JSON; with --list, --help TASK or --table FILE
  --frame K           writes the figures at frame K of the replay instead of the final ones
  --size WxH          size of the figure in pixels (default: 760x480)
  --report FILE       writes an HTML page to print: settings, figures and findings
  --save FILE         writes the trained network or fitted state, for a setting that takes such a file
                      ('#/sbn?…' --save mine.bin, then '#/sbn.pad?networks=mine.bin')
  --save-run FILE     writes the run with its data and results; headless and the page can open the file
  --predict FILE      predicts the rows of a table with the settings found by RUN.bin; --csv writes the predictions
  --completions SHELL prints a completion script for bash, zsh or fish; in bash, use
                      source <(headless --completions bash)
  --version           prints version and build

The exit status is 0 for a result, 1 for a run without a result or a file that cannot be written, and 2 for invalid settings.

A run can be shared among machines with the same version and build. Its units are numbered; units of a later stage need the parts
of all earlier stages.
  --plan              prints the units of each stage and their expected costs
  --units A..B        computes only units A to B−1, which must belong to one stage
  --part FILE         writes the results of these units
  --after FILE…       parts of the earlier stages
  --merge FILE…       merges the parts of all units: the same result, bit for bit, as on one machine

For the sources of Mean Field Lab:
  --first-paint FOLDER  writes the picture that the page shows before its program has loaded, wide and narrow
  --sketch FILE       writes a small picture of the figure without numbers and words, for the front page;
                      its size is that of the front page or that of --size
  --reproduce WHAT    runs the claims of the papers (all, stale or a MODEL) and writes the findings into the sources";

/// An action other than a run.
pub enum Action {
    /// Prints the usage or, if a task is given, its settings.
    Help,
    /// Prints version and build.
    Version,
    /// Lists the tasks.
    List,
    /// Prints the table at this path as it is read.
    Table(String),
    /// Reproduces these claims of the papers.
    Reproduce(String),
    /// Prints the completion script of this shell.
    Completions(String),
    /// Prints the completions of the second word, which follows the first.
    Complete(String, String),
}

/// Command-line arguments; paths are as given.
#[derive(Default)]
pub struct Arguments {
    pub spec: String,
    /// `None` for a run.
    pub action: Option<Action>,
    /// True to print JSON instead of text.
    pub json: bool,
    pub jobs: Option<usize>,
    pub svg: Option<String>,
    pub csv: Option<String>,
    pub figure: Option<String>,
    /// Number of a frame, counted from 1.
    pub frame: Option<usize>,
    pub size: Option<(u32, u32)>,
    pub first_paint: Option<String>,
    pub sketch: Option<String>,
    pub save: Option<String>,
    pub report: Option<String>,
    pub save_run: Option<String>,
    pub predict: Option<String>,
    pub share: ShareOptions,
}

impl Arguments {
    /// Parses the arguments.
    ///
    /// # Errors
    /// If an option is unknown, lacks its value or has an invalid one, or options exclude each other.
    pub fn read(mut args: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut read = Self::default();
        while let Some(arg) = args.next()? {
            match arg {
                Long("jobs") => {
                    let jobs = args.value()?.parse_with(|text| match text.parse() {
                        Ok(jobs @ 1..=256) => Ok(jobs),
                        _ => Err("enter a whole number from 1 to 256"),
                    });
                    read.jobs = Some(jobs?);
                }
                Long("svg") => read.svg = Some(args.value()?.string()?),
                Long("csv") => read.csv = Some(args.value()?.string()?),
                Long("first-paint") => read.first_paint = Some(args.value()?.string()?),
                Long("sketch") => read.sketch = Some(args.value()?.string()?),
                Long("save") => read.save = Some(args.value()?.string()?),
                Long("report") => read.report = Some(args.value()?.string()?),
                Long("save-run") => read.save_run = Some(args.value()?.string()?),
                Long("predict") => read.predict = Some(args.value()?.string()?),
                Long("json") => read.json = true,
                Long("figure") => read.figure = Some(args.value()?.string()?),
                Long("frame") => {
                    read.frame = Some(args.value()?.parse_with(|text| {
                        text.parse().map_err(|_| "enter a frame number, starting from 1")
                    })?);
                }
                Long("size") => read.size = Some(args.value()?.parse_with(parse_size)?),
                Long("plan") => read.share.plan = true,
                Long("units") => read.share.units = Some(args.value()?.parse_with(parse_units)?),
                Long("part") => read.share.part = Some(args.value()?.string()?),
                Long("after") => read.share.after = files(&mut args)?,
                Long("merge") => read.share.merge = files(&mut args)?,
                Positional(spec) if read.spec.is_empty() => read.spec = spec.string()?,
                Short('h') | Long("help") => read.action = Some(Action::Help),
                Short('V') | Long("version") => read.action = Some(Action::Version),
                Long("list") => read.action = Some(Action::List),
                Long("table") => read.action = Some(Action::Table(args.value()?.string()?)),
                Long("reproduce") => read.action = Some(Action::Reproduce(args.value()?.string()?)),
                Long("completions") => read.action = Some(Action::Completions(args.value()?.string()?)),
                Long("complete") => {
                    let [previous, word] = [args.value()?.string()?, args.value()?.string()?];
                    read.action = Some(Action::Complete(previous, word));
                }
                other => return Err(other.unexpected()),
            }
        }
        match read.conflict() {
            Some(conflict) => Err(conflict.into()),
            None => Ok(read),
        }
    }

    /// Describes the first conflict between options.
    fn conflict(&self) -> Option<&'static str> {
        let share = &self.share;
        if self.spec.is_empty() && self.action.is_none() {
            Some("no task is given")
        } else if self.json && !matches!(self.action, Some(Action::Help | Action::List | Action::Table(_))) {
            Some("--json needs --list, --help TASK or --table FILE")
        } else if self.save.is_some() && (share.is_partial() || !share.merge.is_empty()) {
            Some("--save FILE needs a complete run: omit --plan, --units, --part, --after and --merge")
        } else if share.is_partial() && (self.save_run.is_some() || self.report.is_some()) {
            Some(
                "--save-run FILE and --report FILE need a complete run: omit --plan, --units, --part and --after",
            )
        } else {
            None
        }
    }
}

/// Parses `WxH`.
fn parse_size(text: &str) -> Result<(u32, u32), &'static str> {
    let pixels = |text: &str| text.parse::<u32>().ok();
    text.split_once('x')
        .and_then(|(width, height)| Some((pixels(width)?, pixels(height)?)))
        .ok_or("enter WxH in pixels, as in 760x480")
}

/// Reads file names up to the next option.
fn files(args: &mut lexopt::Parser) -> Result<Vec<String>, lexopt::Error> {
    args.values()?.map(lexopt::ValueExt::string).collect()
}
