//! `mlp`.

mod fits;
mod moments;
