//! `mlp`.

mod evidence;
mod fits;
mod live;
mod moments;
mod relevances;
