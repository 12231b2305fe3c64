//! Effects of the columns of a run: on test rows or, without them, on the held-out rows of the folds.

use super::multiclass::class_of_rows;
use super::{ClassifierSnapshot, HyperparameterValues, OneVsRest, TableSnapshot};
use crate::data::TableSummary;
use crate::lab::labelled_table::{
    ColumnEffect, Fold, NoEffects, PermutedProbabilities, effects_of_classes, effects_over_folds,
};

impl TableSnapshot {
    /// Returns the effects of the columns on test rows or, without them, on the held-out rows of the folds.
    pub(super) fn effects(&self) -> Vec<ColumnEffect> {
        if !self.classes.is_empty() {
            return effects_with_classes(&self.classes);
        }
        let on_tests = self.classifier.solved().map(|(_, solution)| &solution.effects);
        if let Some(effects) = on_tests.filter(|effects| !effects.is_empty()) {
            return effects.clone();
        }
        let kept = self.classifier.kept();
        let folds = self.fold_effects.iter().map(|fold| fold.of(kept).clone());
        effects_over_folds(&folds.filter(|effects| !effects.is_empty()).collect::<Vec<_>>())
    }

    /// Returns the reason why there are no effects, if it is known.
    pub(super) fn no_effects(&self) -> Option<NoEffects> {
        let all = self.classes.iter().map(|class| &class.classifier).chain([&self.classifier]);
        all.filter_map(ClassifierSnapshot::solved).find_map(|(_, solution)| solution.no_effects)
    }
}

/// Returns the effects of the columns on the log loss of test rows or, without them, of the held-out rows of the folds.
fn effects_with_classes(classes: &[OneVsRest]) -> Vec<ColumnEffect> {
    let solved: Option<Vec<_>> = classes.iter().map(|class| class.classifier.solved()).collect();
    let is_complete = classes.first().is_some_and(|first| first.of == classes.len());
    let Some(solved) = solved.filter(|_| is_complete) else { return Vec::new() };
    let (mains, solutions): (Vec<_>, Vec<_>) = solved.into_iter().unzip();
    let known = |labels: fn(&TableSummary) -> &[f64]| -> Vec<usize> {
        class_of_rows(&mains, labels).into_iter().map(Option::unwrap_or_default).collect()
    };
    let on_tests: Vec<_> = solutions.iter().map(|solution| &solution.permuted).collect();
    if on_tests.iter().any(|permuted| !permuted.p.is_empty()) {
        return effects_of_classes(&on_tests, &known(|table| &table.test_labels));
    }
    let train_classes = known(|table| &table.labels);
    let in_fold = |fold: &Fold<HyperparameterValues>| {
        let of_class = |class: &&OneVsRest| {
            let at = class.folds.iter().position(|other| other.rows == fold.rows)?;
            Some(class.fold_permuted.get(at)?.of(class.classifier.kept()).clone())
        };
        let each: Vec<PermutedProbabilities> =
            classes.iter().map(|class| of_class(&class)).collect::<Option<_>>()?;
        let held_out: Vec<usize> = fold.rows.iter().map(|row| train_classes[*row]).collect();
        Some(effects_of_classes(&each.iter().collect::<Vec<_>>(), &held_out))
    };
    let folds = classes[0].folds.iter().filter_map(in_fold);
    effects_over_folds(&folds.filter(|effects| !effects.is_empty()).collect::<Vec<_>>())
}
