//! Corpora: other people's regression tests as seeds.
//!
//! A [`Corpus`] is one TOML file that says in which source package of a
//! registry the tests are, under which licence, and which files of it are
//! meant; [`Corpora`] is all of them, built in and the user's. [`get()`] brings
//! the files into the cache, by the means that targets are installed with:
//! `corpora/NAME/VERSION/` holds `manifest.json`, the licence, and the files
//! in a folder of the corpus's name. It appears there by one rename.

mod file;
mod get;
mod installed;
mod library;
mod split;

pub use file::Corpus;
pub use get::{Price, get, price};
pub use installed::{ArchiveRecord, CorpusManifest, InstalledCorpus, installed};
pub use library::Corpora;
pub use split::Split;
