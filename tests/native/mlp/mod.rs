//! `mlp`.

mod evidence;
mod fits;
mod moments;
