//! The words behind the command: which types, and which names of them.

use std::collections::{BTreeMap, BTreeSet};

use reap_core::object::Kind;

use crate::error::Error;

/// The default set, and what `all` means: claims hold data and go only when named.
const ALL: [Kind; 3] = [Kind::Job, Kind::Pod, Kind::ConfigMap];

/// What the words select.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// The kinds to read.
    pub(crate) kinds: BTreeSet<Kind>,
    /// The kinds that the user named; those of the default set and of `all` are not.
    pub(crate) named: BTreeSet<Kind>,
    /// The names that the user gave; empty selects every object.
    pub(crate) names: BTreeMap<Kind, BTreeSet<String>>,
}

impl Selection {
    /// Reads `TYPE[,TYPE…]`, `TYPE NAME…` or `TYPE/NAME…`, as kubectl does; no words select the default set.
    ///
    /// # Errors
    /// Unknown types, missing names, and forms that are mixed.
    pub(crate) fn parse(words: &[String]) -> Result<Self, Error> {
        if words.iter().any(|word| word.contains('/')) {
            return Self::of_pairs(words);
        }
        let Some((types, names)) = words.split_first() else {
            return Ok(Self {
                kinds: ALL.into(),
                ..Self::default()
            });
        };
        let mut selection = Self::default();
        for word in types.split(',') {
            if word == "all" {
                if !names.is_empty() {
                    return Err(Error::Usage(
                        "`all` takes no names: name the type of each object".to_owned(),
                    ));
                }
                selection.kinds.extend(ALL);
            } else {
                selection.name(parse_kind(word)?);
            }
        }
        for kind in selection.named.clone() {
            for name in names {
                selection.add(kind, name)?;
            }
        }
        Ok(selection)
    }

    fn of_pairs(words: &[String]) -> Result<Self, Error> {
        let mut selection = Self::default();
        for word in words {
            let Some((kind, name)) = word.split_once('/') else {
                return Err(Error::Usage(format!(
                    "there is no need to specify a resource type as a separate argument when passing arguments in \
                     resource/name form: `{word}` has no name"
                )));
            };
            let kind = parse_kind(kind)?;
            selection.name(kind);
            selection.add(kind, name)?;
        }
        Ok(selection)
    }

    fn name(&mut self, kind: Kind) {
        self.kinds.insert(kind);
        self.named.insert(kind);
    }

    fn add(&mut self, kind: Kind, name: &str) -> Result<(), Error> {
        if name.is_empty() || name.contains('/') {
            return Err(Error::Usage(format!("`{name}` is no name of an object")));
        }
        self.names.entry(kind).or_default().insert(name.to_owned());
        Ok(())
    }
}

fn parse_kind(word: &str) -> Result<Kind, Error> {
    match word {
        "pods" | "pod" | "po" => Ok(Kind::Pod),
        "jobs" | "job" | "jobs.batch" | "job.batch" => Ok(Kind::Job),
        "configmaps" | "configmap" | "cm" => Ok(Kind::ConfigMap),
        "persistentvolumeclaims" | "persistentvolumeclaim" | "pvc" => {
            Ok(Kind::PersistentVolumeClaim)
        }
        _ => Err(Error::Usage(format!(
            "unknown type `{word}`; the types are pods, jobs, configmaps, persistentvolumeclaims (pvc) and all"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Selection, String> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        Selection::parse(&words).map_err(|error| error.to_string())
    }

    fn kinds(words: &[&str]) -> Vec<Kind> {
        parse(words)
            .expect("valid words")
            .kinds
            .into_iter()
            .collect()
    }

    #[test]
    fn no_words_and_all_mean_everything_but_claims_and_name_nothing() {
        for words in [&[][..], &["all"]] {
            assert_eq!(kinds(words), ALL);
            assert!(parse(words).expect("valid words").named.is_empty());
        }
    }

    #[test]
    fn every_spelling_of_a_type_is_known() {
        let spellings = [
            ("pods,pod,po", Kind::Pod),
            ("jobs,job,jobs.batch,job.batch", Kind::Job),
            ("configmaps,configmap,cm", Kind::ConfigMap),
            (
                "persistentvolumeclaims,persistentvolumeclaim,pvc",
                Kind::PersistentVolumeClaim,
            ),
        ];
        for (types, kind) in spellings {
            assert_eq!(kinds(&[types]), [kind], "{types}");
        }
        assert_eq!(kinds(&["all,pvc"]), Kind::ALL);
    }

    #[test]
    fn names_belong_to_the_types_before_them() {
        let names = |words| parse(words).expect("valid words").names;
        let both = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert_eq!(
            names(&["pod", "a", "b"]),
            BTreeMap::from([(Kind::Pod, both.clone())])
        );
        assert_eq!(
            names(&["pod/a", "pod/b"]),
            BTreeMap::from([(Kind::Pod, both.clone())])
        );
        assert_eq!(
            names(&["po,cm", "a", "b"]),
            BTreeMap::from([(Kind::Pod, both.clone()), (Kind::ConfigMap, both)])
        );
        assert_eq!(
            kinds(&["pvc/x", "job/y"]),
            [Kind::Job, Kind::PersistentVolumeClaim]
        );
    }

    #[test]
    fn what_is_no_selection_is_refused_with_what_there_is() {
        for (words, expected) in [
            (
                &["secrets"][..],
                "unknown type `secrets`; the types are pods",
            ),
            (&["pods,"], "unknown type ``"),
            (&["all", "x"], "`all` takes no names"),
            (&["pod", "pod/x"], "`pod` has no name"),
            (&["pod/"], "`` is no name"),
            (&["pod/a/b"], "`a/b` is no name"),
            (&["secret/x"], "unknown type `secret`"),
        ] {
            let error = parse(words).expect_err("a refusal");
            assert!(error.contains(expected), "{words:?}: {error}");
        }
    }
}
