//! Command-line completion in shells.

use meanfield::models::{MODELS, catalog};

use super::arguments::USAGE;
use super::listing::complete_link;

/// Shells and their scripts.
const SHELLS: [(&str, &str); 3] = [("bash", BASH), ("zsh", ZSH), ("fish", FISH)];

/// If there are no candidates, bash completes file names.
const BASH: &str = r#"_headless() {
    local IFS=$'\n'
    local word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=($(headless --complete "${COMP_WORDS[COMP_CWORD-1]}" "${word#[\'\"]}"))
    case ${COMPREPLY[0]} in '#'*) compopt -o nospace 2>/dev/null ;; esac
}
complete -o default -F _headless headless"#;

const ZSH: &str = r#"#compdef headless
_headless() {
    local -a found
    found=(${(f)"$(headless --complete "${(Q)words[CURRENT-1]}" "${(Q)PREFIX}")"})
    if (( $#found )); then compadd -S '' -a found; else _files; fi
}
if [[ $funcstack[1] == _headless ]]; then _headless "$@"; else compdef _headless headless; fi"#;

const FISH: &str = r"function __headless_complete
    set -l words (commandline -xpc)
    headless --complete $words[-1] (commandline -ct | string trim -c '\'')
end
complete -c headless -a '(__headless_complete)'";

/// Returns the script that completes the command line in a shell.
///
/// # Errors
/// If the shell is not supported.
pub fn script(shell: &str) -> Result<&'static str, String> {
    let found = SHELLS.iter().find(|(name, _)| *name == shell).map(|(_, script)| *script);
    found.ok_or_else(|| {
        format!("--completions: enter one of {}, not {shell}", SHELLS.map(|(name, _)| name).join(", "))
    })
}

/// Returns the options listed in the usage, each with the name of its value (empty if it takes none).
fn options() -> impl Iterator<Item = (&'static str, &'static str)> {
    USAGE.lines().filter_map(|line| {
        let mut words = line.strip_prefix("  ").filter(|rest| rest.starts_with("--"))?.split_whitespace();
        let (option, value) = (words.next()?, words.next().unwrap_or(""));
        Some((option, if value.starts_with(|c: char| c.is_ascii_uppercase()) { value } else { "" }))
    })
}

/// Returns the completions of `word`, which follows `previous`; none if a file name is expected.
pub fn candidates(previous: &str, word: &str) -> Vec<String> {
    let ids = || catalog().tasks().map(|task| task.meta().id.to_owned());
    let all: Vec<String> = match previous {
        "--help" | "-h" => ids().collect(),
        "--completions" => SHELLS.map(|(name, _)| name.to_owned()).to_vec(),
        "--reproduce" => ["all", "stale"]
            .into_iter()
            .chain(MODELS.iter().map(|model| model.id))
            .map(str::to_owned)
            .collect(),
        _ if options().any(|(option, value)| option == previous && !value.is_empty()) => Vec::new(),
        _ if word.starts_with('-') => options().map(|(option, _)| option.to_owned()).collect(),
        _ => return complete_link(word),
    };
    all.into_iter().filter(|candidate| candidate.starts_with(word)).collect()
}
