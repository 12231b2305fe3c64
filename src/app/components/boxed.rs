//! Building blocks of views without their types. leptos compiles its code again for each closure and for each type of a view; here
//! they are in a box, so that this code is compiled once and the page is smaller.

use leptos::prelude::*;

/// A memo of `work`.
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    work: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    Memo::new(Box::new(work) as Box<dyn Fn(Option<&T>) -> T + Send + Sync>)
}

/// A signal that is computed by `work`.
pub fn signal<T: Send + Sync + 'static>(work: impl Fn() -> T + Send + Sync + 'static) -> Signal<T> {
    Signal::derive(Box::new(work) as Box<dyn Fn() -> T + Send + Sync>)
}

/// An effect: `work` is run again when a signal that it reads has changed.
pub fn effect(work: impl Fn() + 'static) {
    let work: Box<dyn Fn()> = Box::new(work);
    Effect::new(move |_: Option<()>| work());
}

/// A handler of events.
pub fn on<E: 'static>(work: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(work)
}

/// A part of a page that is made again when a signal that it reads has changed.
pub fn live(view: impl Fn() -> Option<AnyView> + Send + 'static) -> AnyView {
    (Box::new(view) as Box<dyn Fn() -> Option<AnyView> + Send>).into_any()
}

/// Parts of a page, one after the other.
pub fn list<V: IntoView + 'static>(parts: impl IntoIterator<Item = V>) -> Vec<AnyView> {
    parts.into_iter().map(IntoAny::into_any).collect()
}

/// A part of a page that is there on a condition.
pub fn part<V: IntoView + 'static>(there: bool, view: impl FnOnce() -> V) -> Option<AnyView> {
    there.then(|| view().into_any())
}
