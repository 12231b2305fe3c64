//! `nfa`.

mod learning;
mod oracle;
