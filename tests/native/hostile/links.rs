//! Permalinks of any bytes.

use std::sync::LazyLock;

use meanfield::lab::{Link, mend};
use meanfield::models::{TASKS, catalog, task};
use proptest::prelude::*;
use proptest::sample::Index;

use super::{changed, changes, lossy};
use crate::common::property::for_all;
use crate::common::small_links;

/// Links that a person may have: every small run and every preset.
static LINKS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let presets = TASKS.iter().flat_map(|task| {
        let id = task.meta().id;
        task.meta().presets.iter().map(move |preset| format!("#/{id}?{}", preset.query))
    });
    small_links().map(str::to_owned).chain(presets).collect()
});

/// Anything in the place of a link: bytes, percent escapes, and links with a few bytes changed.
fn any_link() -> impl Strategy<Value = String> {
    let escapes = "#?/?(%[0-9a-fA-F]{0,2}|[a-z.]|%2[35f]|[?&=/#+ ]){0,40}";
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..80).prop_map(|bytes| lossy(&bytes)),
        escapes,
        (any::<Index>(), changes())
            .prop_map(|(which, changes)| lossy(&changed(which.get(&LINKS).as_bytes(), &changes))),
    ]
}

pub fn read_back_and_are_mended_or_refused(cases: u32) {
    for_all(cases, any_link(), |text| {
        let link = Link::parse(&text);
        let written = link.to_string();
        assert!(written.is_ascii(), "{written}");
        assert_eq!(Link::parse(&written), link);
        let Some(task) = task(&catalog().route(&link)) else { return };
        let (raw, mended) = mend(&link.raw, |raw| task.check(raw).map(|_| ()));
        let values = task.check(&raw).expect("mended settings are valid");
        assert!(mended.iter().all(|problem| !problem.describe().is_empty()), "{mended:?}");
        if !values.takes_data() {
            assert!(task.plan(&values, None).units() > 0);
        }
    });
}
