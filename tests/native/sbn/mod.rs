//! The sigmoid belief networks of SJ98.

mod digits;
mod oracle;
mod pretrained;
mod saved;
mod tasks;
