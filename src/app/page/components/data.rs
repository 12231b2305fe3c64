//! Input of a data field: choose files, drop them or paste a table; preview of their contents.

use leptos::html;
use leptos::prelude::*;
use web_sys::{DragEvent, FileList};

use super::columns::Columns;
use super::example::{ExampleButton, ExampleResult, ExampleTable};
use super::presets::{PresetsOfFiles, thumbnails};
use super::reading_questions::ReadingQuestions;
use super::table::Table;
use crate::app::own_data::Preview;
use crate::app::page::state::{AppState, Download, size};
use crate::app::page::{browser, kept};
use crate::app::pool::FileState;
use crate::app::{form, own_data};
use crate::data::LoadedFile;
use crate::data::known::{KnownFile, KnownSet};
use crate::lab::{Field, Role, Task};

/// File types offered by the file picker.
const ACCEPT: &str = ".csv,.tsv,.txt,.dat,.gz,.idx,.bin,.json,text/csv,text/plain";

/// Name of a pasted table.
const PASTED: &str = "pasted.csv";

/// Shows the drop zone, file picker and paste for a field, with a preview under them.
#[component]
pub fn DataInput(app: AppState, field: &'static Field) -> impl IntoView {
    // A task without a default data set needs a file.
    let removable = field.role != Role::Data || !field.default.is_empty();
    view! {
        <DropZone app field>
            <FilePicker app field />
            {removable.then(|| view! { <RemoveButton app field /> })}
            {artefact_kind(field).map(|kind| view! { <SaveButton app kind /> })}
            <KeepButton app key=field.key />
            <p>"Or drop a file here. "{own_data::STAYS}</p>
            <Paste app field />
            <FilePreview app key=field.key />
            {(field.role == Role::Data).then(|| view! { <ReadingQuestions app key=field.key /> })}
            {(field.role == Role::Data).then(|| view! { <Columns app /> })}
        </DropZone>
    }
}

/// Shows an area that takes files dropped on it for a field.
#[component]
fn DropZone(app: AppState, field: &'static Field, children: Children) -> impl IntoView {
    let over = RwSignal::new(false);
    let hover = move |ev: &DragEvent, on: bool| {
        // Otherwise the browser would leave the page for the file.
        ev.prevent_default();
        over.set(on);
    };
    let dropped = move |ev: DragEvent| {
        hover(&ev, false);
        give(app, field, ev.data_transfer().and_then(|data| data.files()));
    };
    let named = move || app.named_data(field.key).is_some_and(|named| !named.needs_no_file());
    view! {
        <div class="drop" class:over=over class:named=named on:dragover=move |ev| hover(&ev, true)
            on:dragleave=move |ev| hover(&ev, false) on:drop=dropped>
            {children()}
        </div>
    }
}

/// Shows an input that opens the browser's file picker. It is hidden while the request for this file has a button for it.
#[component]
fn FilePicker(app: AppState, field: &'static Field) -> impl IntoView {
    let picker = NodeRef::<html::Input>::new();
    let requested = Memo::new(move |_| app.awaits_file() && app.awaited_key() == Some(field.key));
    let chosen = move |_| {
        let Some(input) = picker.get_untracked() else { return };
        give(app, field, input.files());
        // Cleared, so that the same file can be chosen again after a correction on disk.
        input.set_value("");
    };
    view! {
        <input type="file" multiple id=form::id(field.key) accept=ACCEPT aria-describedby=form::described(field)
            hidden=requested node_ref=picker on:change=chosen />
    }
}

/// Shows a button that restores the default of the field.
#[component]
fn RemoveButton(app: AppState, field: &'static Field) -> impl IntoView {
    let remove = move |_| {
        app.edit(field.key, field.default);
        app.settle();
    };
    view! { <button type="button" class="quiet forget" on:click=remove>"Remove"</button> }
}

/// Shows a button that saves the newest artefact of the run.
#[component]
fn SaveButton(app: AppState, kind: &'static str) -> impl IntoView {
    view! {
        <button type="button" class="quiet save" hidden=move || app.artefact(kind).is_none()
            on:click=move |_| app.save_artefact(kind)>"Save as a file"</button>
    }
}

/// Shows a button that keeps the user's files in this browser for the next visit, or deletes them.
#[component]
fn KeepButton(app: AppState, key: &'static str) -> impl IntoView {
    let given = Memo::new(move |_| app.own_files(key));
    let is_kept = RwSignal::new(false);
    Effect::new(move || {
        is_kept.set(false);
        if let Some(files) = given.get() {
            browser::spawn(async move { is_kept.set(kept::has(&files).await) });
        }
    });
    let keep = move |_| {
        if let Some(files) = given.get_untracked() {
            app.keep_files(files, !is_kept.get_untracked(), move |now| is_kept.set(now));
        }
    };
    let words = move || if is_kept.get() { "Forget this file" } else { "Keep for the next visit" };
    view! {
        <button type="button" class="quiet keep" hidden=move || given.get().is_none()
            title="The file is stored in this browser only, until you choose Forget" on:click=keep>{words}</button>
    }
}

/// Shows a text area for a pasted table.
#[component]
fn Paste(app: AppState, field: &'static Field) -> impl IntoView {
    // The text of the main table is kept when the page moves its text box.
    let text = if field.role == Role::Data { app.pasted } else { RwSignal::new(String::new()) };
    let empty = Memo::new(move |_| text.with(|text| text.trim().is_empty()));
    let paste = move |_| {
        app.load(field, PASTED, text.get_untracked().into_bytes().into());
        // The button may be gone.
        browser::timeout(0, browser::focus_main_if_lost);
    };
    // It stays open, so that the text can be corrected.
    let failed = Memo::new(move |_| {
        app.named_data(field.key).is_some_and(|named| named.name == PASTED)
            && matches!(app.data_sets.state(field.key), Some(FileState::Rejected(_)))
    });
    view! {
        <details hidden=field.is_artefact() open=failed>
            <summary>{own_data::PASTE}</summary>
            <textarea rows="5" aria-label="A table as text" prop:value=text
                on:input:target=move |ev| text.set(ev.target().value())></textarea>
            <button type="button" disabled=empty on:click=paste>"Use this table"</button>
        </details>
    }
}

/// Shows the preview of the file that the form names in the field of that key.
#[component]
fn FilePreview(app: AppState, key: &'static str) -> impl IntoView {
    let preview = Memo::new(move |_| {
        app.data_sets
            .state(key)
            .zip(app.named_data(key))
            .map(|(state, named)| own_data::preview(&named.name, &state))
    });
    view! {
        <div role="status">{move || preview.get().map(|preview| view! { <PreviewView app preview /> }.into_any())}</div>
    }
}

/// Returns the kind of the artefact that the field takes, if it takes one.
fn artefact_kind(field: &Field) -> Option<&'static str> {
    match field.role {
        Role::Artefact(kind) => Some(kind),
        _ => None,
    }
}

/// Loads the file given on the front page: a saved run, or data that the task takes.
fn take_given(app: AppState) {
    let Some(input) = browser::input("own") else { return };
    let files = input.files();
    let field = untrack(|| app.task().zip(app.main_data_key()))
        .and_then(|(task, key)| task.fields().iter().find(|field| field.key == key));
    match field {
        Some(field) => give(app, field, files),
        None => read_each(app, files, move |name, contents| app.open_saved(name, &contents.bytes)),
    }
    input.set_value("");
}

/// Loads files that were chosen or dropped for a field.
fn give(app: AppState, field: &'static Field, files: Option<FileList>) {
    read_each(app, files, move |name, contents| app.load(field, name, contents));
}

/// Reads files one after the other.
fn read_each(app: AppState, files: Option<FileList>, take: impl Fn(&str, LoadedFile) + 'static) {
    let Some(files) = files else { return };
    let files: Vec<_> = (0..files.length()).filter_map(|place| files.get(place)).collect();
    browser::spawn(async move {
        for file in files {
            match browser::read(&file).await {
                Ok(contents) => take(&file.name(), contents),
                Err(why) => app.notices.set(vec![why]),
            }
        }
    });
}

/// Shows the preview of a file.
#[component]
fn PreviewView(app: AppState, preview: Preview) -> impl IntoView {
    match preview {
        Preview::Words(words) => view! { <p>{words}</p> }.into_any(),
        Preview::Problem(why) => view! { <p class="problem">{why}</p> }.into_any(),
        Preview::Table { size, read_as, remarks, doubts, repairs, head, rows } => {
            let standing = Memo::new(move |_| {
                let fields = app.task().map_or(&[][..], |task| task.fields());
                app.form.raw.with(|raw| own_data::standing_remarks(fields, raw, &remarks, &repairs))
            });
            let remarks = move || {
                standing
                    .get()
                    .into_iter()
                    .map(|remark| view! { <p class="remark">{remark}</p> })
                    .collect_view()
            };
            view! {
                <p class="remark">{read_as}</p>
                <details class="preview" open=!doubts.is_empty()>
                    <summary>{size}</summary>
                    <div class="scroll" tabindex="0" role="region" aria-label="First and last lines"><Table head rows /></div>
                </details>
                {remarks}
            }
            .into_any()
        }
    }
}

/// Shows the ways to begin, in place of the figures while a run waits for a file. Without a table there are no settings: the table is
/// given here.
#[component]
pub fn Begin(app: AppState) -> impl IntoView {
    take_given(app);
    let waits = Memo::new(move |_| app.awaits_file());
    let lacks = Memo::new(move |_| app.lacks_data());
    let request = move || {
        let task = untrack(|| app.task())?;
        let field =
            app.main_data_key().and_then(|key| task.fields().iter().find(|field| field.key == key))?;
        Some(if lacks.get() {
            view! { <FirstTable app task field /> }.into_any()
        } else {
            view! { <p>{own_data::STAYS}</p><ChooseButton app /> }.into_any()
        })
    };
    view! {
        <div class="begin" hidden=move || !waits.get()>
            <MissingFiles app waits />
            {request}
        </div>
    }
}

/// Shows the input of the main table in place of the figures, and the presets that bring one.
#[component]
fn FirstTable(app: AppState, task: &'static dyn Task, field: &'static Field) -> impl IntoView {
    let example = own_data::example(task.fields(), task.meta().presets);
    let predicts = Field::with_role(task.fields(), Role::Label).is_some();
    view! {
        <DropZone app field>
            <p>{own_data::TABLE}{own_data::STAYS}</p>
            <ChooseButton app />
            <FilePicker app field />
            <span class="or">{own_data::DROP}</span>
            <Paste app field />
        </DropZone>
        {example.map(|preset| view! { <ExampleButton app preset /> })}
        <PresetsOfFiles app task thumbnails=thumbnails(task) />
        // Last, so that what comes late moves nothing above it.
        {example.map(|_| view! { <ExampleResult page=task.meta().id /> })}
        {example.map(|preset| view! { <ExampleTable field preset predicts /> })}
    }
}

/// Shows a button that opens the file picker of the field that lacks a file.
#[component]
fn ChooseButton(app: AppState) -> impl IntoView {
    let choose = move |_| {
        if let Some(input) = app.awaited_key().and_then(|key| browser::input(&form::id(key))) {
            input.click();
        }
    };
    view! { <button type="button" class="choose" on:click=choose>{own_data::CHOOSE}</button> }
}

/// Shows the description of a known data set that is not here, and a button that downloads it.
#[component]
fn MissingFiles(app: AppState, waits: Memo<bool>) -> impl IntoView {
    let download = Download::new();
    let lacks =
        move || app.missing_files(app.main_data_key()?).filter(|(_, files)| waits.get() && !files.is_empty());
    let start_or_cancel = move |_| {
        if download.active.get_untracked() {
            download.active.set(false);
        } else if let Some((_, files)) = untrack(lacks) {
            app.download(files, download);
        }
    };
    let words = Memo::new(move |_| match lacks() {
        Some(_) if download.active.get() => "Cancel the download".to_owned(),
        Some((_, files)) => {
            let bytes = files.iter().map(|file| file.download).sum();
            format!("Download from {} ({})", files[0].host(), size(bytes))
        }
        None => String::new(),
    });
    view! {
        {move || lacks().map(|(set, files)| lacking(set, &files).into_any())}
        <button type="button" class="download" hidden=move || words.with(String::is_empty)
            on:click=start_or_cancel>{words}</button>
        <p role="status">{download.message}</p>
    }
}

/// Shows the description of a data set that is neither in this browser nor beside the page.
fn lacking(set: &'static KnownSet, files: &[&'static KnownFile]) -> impl IntoView + use<> {
    let files = files.iter().map(|file| {
        let facts = format!(": {}; {}, hash {}", file.contents, size(file.download), file.hash);
        view! { <li><a href=file.address rel="noreferrer">{file.name()}</a>{facts}</li> }
    });
    let title = format!(
        "This data set is not on this server: {}. {}. It can be downloaded from a public address. The page checks it against the \
         hash and keeps it in this browser for the next visit. Or choose your own copy.",
        set.title, set.citation
    );
    view! {
        <p>{title}</p>
        <ul>{files.collect_view()}</ul>
    }
}
