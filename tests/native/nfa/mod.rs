//! `nfa`.

mod learning;
mod oracle;
mod posterior;
mod reaches;
