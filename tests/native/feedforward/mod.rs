//! Perceptrons and committees by TAP, OW96.

mod adaptive_variances;
mod oracle;
mod paper;
mod settings;
mod table;
