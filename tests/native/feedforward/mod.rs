//! Perceptrons and committees by TAP, OW96.

mod oracle;
mod own_variances;
mod paper;
mod settings;
mod table;
