//! Reads the syntax of the sources: modules, the paths that each uses, lengths of functions and files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree};

/// Folders of `src` that are packages of their own: `crate` is the folder there.
const PACKAGES: [&str; 5] = ["data", "figure", "lab", "math", "methods"];

/// A source file without its tests.
pub struct Source {
    /// Path from the root of the sources.
    pub path: PathBuf,
    /// Module path below `src`: `["lab", "field"]`.
    pub module: Vec<String>,
    /// Number of lines outside of tests.
    pub lines: usize,
    /// Names and lengths of functions, in lines.
    pub functions: Vec<(String, usize)>,
    /// Names of macros that are called.
    pub macros: Vec<String>,
    /// True if it names the type `dyn Any`.
    pub erases: bool,
    /// Paths as they are written, with aliases of packages and relative paths resolved: modules of `src` by their module path,
    /// others by the name of their library.
    pub uses: Vec<Vec<String>>,
    /// Names that the file imports, with their paths.
    imports: Vec<(String, Vec<String>)>,
}

/// All sources of a folder.
pub struct Sources {
    pub files: Vec<Source>,
    /// Position in `files` of each module.
    modules: BTreeMap<Vec<String>, usize>,
}

impl Sources {
    /// Returns every file below `src`, without tests.
    pub fn get() -> &'static Self {
        static SOURCES: LazyLock<Sources> = LazyLock::new(Sources::read);
        &SOURCES
    }

    fn read() -> Self {
        let mut paths = Vec::new();
        walk(Path::new("src"), &mut paths);
        let is_test = |path: &Path| path.iter().any(|part| part == "tests" || part == "tests.rs");
        let files: Vec<Source> = paths.into_iter().filter(|path| !is_test(path)).map(Source::read).collect();
        let modules = files.iter().enumerate().map(|(i, file)| (file.module.clone(), i)).collect();
        Self { files, modules }
    }

    /// Returns the file that defines the item of a path, if it is one of ours.
    pub fn defining(&self, path: &[String]) -> Option<&Source> {
        self.follow(path, 8)
    }

    fn follow(&self, path: &[String], depth: usize) -> Option<&Source> {
        let known = (1..=path.len()).rev().find(|n| self.modules.contains_key(&path[..*n]))?;
        let file = &self.files[self.modules[&path[..known]]];
        let imported = |name: &String| file.imports.iter().find(|(import, _)| import == name);
        match path.get(known).and_then(imported) {
            Some((_, to)) if depth > 0 => {
                let to = [to, &path[known + 1..]].concat();
                self.follow(&to, depth - 1)
            }
            _ => Some(file),
        }
    }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

impl Source {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let syntax = syn::parse_file(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let below = path.strip_prefix("src").unwrap().with_extension("");
        let mut module: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
            module.pop();
        }
        let mut reader = Reader { scope: module.clone(), tests: 0, source: Self::new(path, module) };
        reader.visit_file(&syntax);
        reader.source.lines = text.lines().count() - reader.tests;
        reader.source
    }

    fn new(path: PathBuf, module: Vec<String>) -> Self {
        Self {
            path,
            module,
            lines: 0,
            functions: Vec::new(),
            macros: Vec::new(),
            erases: false,
            uses: Vec::new(),
            imports: Vec::new(),
        }
    }

    /// Returns the first folder or file below `src`.
    pub fn part(&self) -> &str {
        self.module.first().map_or("", String::as_str)
    }
}

struct Reader {
    /// Module that the visited item is in.
    scope: Vec<String>,
    /// Lines of tests.
    tests: usize,
    source: Source,
}

impl Reader {
    /// Returns the module path of a path as it is written here; another library's path stays.
    fn resolve(&self, path: &[String]) -> Vec<String> {
        let root = match self.source.part() {
            part if PACKAGES.contains(&part) => vec![part.to_owned()],
            _ => Vec::new(),
        };
        let (first, rest) = path.split_first().expect("a path has a segment");
        let (base, rest): (Vec<String>, &[String]) = match first.as_str() {
            "crate" if rest.first().is_some_and(|name| PACKAGES.contains(&name.as_str())) => {
                (Vec::new(), rest)
            }
            "crate" => (root, rest),
            "meanfield" => (Vec::new(), rest),
            "self" => (self.scope.clone(), rest),
            "super" => {
                let up = path.iter().take_while(|segment| *segment == "super").count();
                (self.scope[..self.scope.len().saturating_sub(up)].to_vec(), &path[up..])
            }
            name => match name.strip_prefix("meanfield_") {
                Some(part) => (vec![part.to_owned()], rest),
                None => (Vec::new(), path),
            },
        };
        [&base, rest].concat()
    }

    fn add(&mut self, path: &[String]) {
        let path = self.resolve(path);
        self.source.uses.push(path);
    }

    /// Records the paths of a `use`, with the names that they get here.
    fn add_use(&mut self, prefix: &[String], tree: &UseTree) {
        let with = |name: String| [prefix, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.add_use(&with(path.ident.to_string()), &path.tree),
            UseTree::Name(name) if name.ident == "self" => self.import(prefix, prefix.last().cloned()),
            UseTree::Name(name) => self.import(&with(name.ident.to_string()), Some(name.ident.to_string())),
            UseTree::Rename(rename) => {
                self.import(&with(rename.ident.to_string()), Some(rename.rename.to_string()));
            }
            UseTree::Glob(_) => self.import(prefix, None),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_use(prefix, tree)),
        }
    }

    fn import(&mut self, path: &[String], name: Option<String>) {
        self.add(path);
        let path = self.resolve(path);
        self.source.imports.extend(name.map(|name| (name, path)));
    }

    /// Records the paths and macros in the tokens of a macro, which are no syntax yet.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons): (Vec<String>, usize) = (Vec::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    let ident = ident.to_string();
                    self.source.erases |= path == ["dyn"] && ident == "Any";
                    if colons < 2 {
                        self.end_path(&mut path);
                    }
                    (path, colons) = ([path, vec![ident]].concat(), 0);
                }
                TokenTree::Punct(punct) => {
                    if punct.as_char() == '!' && path.len() == 1 {
                        self.source.macros.push(path[0].clone());
                    }
                    self.end_path(&mut path);
                    colons = 0;
                }
                TokenTree::Group(group) => {
                    self.end_path(&mut path);
                    self.add_tokens(group.stream());
                }
                TokenTree::Literal(_) => self.end_path(&mut path),
            }
        }
        self.end_path(&mut path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        if path.len() > 1 {
            self.add(path);
        }
        path.clear();
    }

    fn add_function(&mut self, name: &syn::Ident, signature: &syn::Signature, body: &syn::Block) {
        self.source
            .functions
            .push((name.to_string(), lines(signature.span().join(body.span()).unwrap_or(body.span()))));
    }
}

fn lines(span: proc_macro2::Span) -> usize {
    span.end().line - span.start().line + 1
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        let words = |list: &syn::MetaList| list.tokens.to_string().contains("test");
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(words)
    };
    attributes.iter().any(is_test)
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Const(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Macro(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if is_test(attributes) {
            self.tests += lines(item.span());
        } else {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.scope.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.scope.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add_use(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if segments.len() > 1 {
            self.add(&segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        if let Some(name) = called.path.segments.last() {
            self.source.macros.push(name.ident.to_string());
        }
        self.add_tokens(called.tokens.clone());
        visit::visit_macro(self, called);
    }

    fn visit_type_trait_object(&mut self, object: &'ast syn::TypeTraitObject) {
        let is_any = |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(bound) => {
                bound.path.segments.last().is_some_and(|segment| segment.ident == "Any")
            }
            _ => false,
        };
        self.source.erases |= object.bounds.iter().any(is_any);
        visit::visit_type_trait_object(self, object);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add_function(&function.sig.ident, &function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_test(&function.attrs) {
            self.add_function(&function.sig.ident, &function.sig, &function.block);
            visit::visit_impl_item_fn(self, function);
        }
    }
}
