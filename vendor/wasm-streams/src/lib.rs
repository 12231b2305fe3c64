//! Stands in for the crate of this name, which leptos brings along for its server functions. The real one exports three
//! classes to JavaScript; what is exported no linker leaves out, and they were 7 kB of a page that has no server. Nothing
//! here is ever called.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use wasm_bindgen::{JsCast, JsValue};

/// A stream of the browser.
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// Takes it from the browser.
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// Would give it to the browser. There is no such stream: the value is JavaScript's `undefined`.
    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>> + 'static) -> Self {
        Self(JsValue::UNDEFINED.unchecked_into())
    }

    /// Gives it back to the browser.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// What comes out of it: nothing.
    pub fn into_stream(self) -> Nothing {
        Nothing
    }
}

/// A stream that is at its end.
pub struct Nothing;

impl Stream for Nothing {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}
