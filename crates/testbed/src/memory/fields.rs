//! Field selectors, by the grammar of `apimachinery/pkg/fields/selector.go`.

use super::object::Object;
use super::resource::Resource;

/// A selector: every term has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldSelector(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    field: Field,
    equal: bool,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Name,
    Namespace,
    Phase,
}

impl FieldSelector {
    /// The error is the message of the API server.
    pub(super) fn parse(resource: Resource, selector: &str) -> Result<Self, String> {
        let terms = selector
            .split(',')
            .filter(|term| !term.is_empty())
            .map(|term| {
                let (label, value, equal) = (term
                    .split_once("!=")
                    .map(|(label, value)| (label, value, false)))
                .or_else(|| {
                    term.split_once("==")
                        .map(|(label, value)| (label, value, true))
                })
                .or_else(|| {
                    term.split_once('=')
                        .map(|(label, value)| (label, value, true))
                })
                .ok_or_else(|| {
                    format!("invalid selector: '{selector}'; can't understand '{term}'")
                })?;
                Ok(Term {
                    field: field(resource, label)?,
                    equal,
                    value: value.to_owned(),
                })
            });
        Ok(Self(terms.collect::<Result<_, String>>()?))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn matches(&self, object: &Object) -> bool {
        self.0.iter().all(|term| {
            let actual = match term.field {
                Field::Name => &object.name,
                Field::Namespace => &object.namespace,
                Field::Phase => &object.phase,
            };
            (**actual == *term.value) == term.equal
        })
    }

    /// The only name that can be selected, which the authorizer takes for the name of the request.
    pub(super) fn name(&self) -> Option<&str> {
        let mut terms = self.0.iter();
        let term = terms.find(|term| term.equal && term.field == Field::Name)?;
        Some(&term.value)
    }
}

fn field(resource: Resource, label: &str) -> Result<Field, String> {
    match (label, resource) {
        ("metadata.name", _) => Ok(Field::Name),
        ("metadata.namespace", _) => Ok(Field::Namespace),
        ("status.phase", Resource::Pods | Resource::Namespaces) => Ok(Field::Phase),
        (_, Resource::Pods | Resource::Namespaces) => {
            Err(format!("field label not supported: {label}"))
        }
        (_, Resource::Jobs) => Err(format!("field label \"{label}\" not supported for Job")),
        (_, Resource::ConfigMaps | Resource::Claims) => Err(format!(
            "\"{label}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn selects(selector: &str) -> bool {
        let pod =
            json!({"metadata": {"name": "a", "namespace": "n"}, "status": {"phase": "Failed"}});
        let selector = FieldSelector::parse(Resource::Pods, selector).unwrap();
        selector.matches(&Object::new(pod, None))
    }

    #[test]
    fn terms_select_by_name_namespace_and_phase() {
        assert!(selects(
            "metadata.name=a,metadata.namespace==n,status.phase!=Running"
        ));
        assert!(!selects("metadata.name=b"));
        assert!(!selects("metadata.namespace!=n"));
        assert!(!selects("metadata.name=a,status.phase=Running"));
    }

    #[test]
    fn unknown_fields_are_refused() {
        assert_eq!(
            FieldSelector::parse(Resource::Pods, "spec.x=1"),
            Err("field label not supported: spec.x".to_owned())
        );
        assert!(FieldSelector::parse(Resource::Jobs, "status.phase=Failed").is_err());
        assert!(FieldSelector::parse(Resource::Pods, "metadata.name").is_err());
    }
}
