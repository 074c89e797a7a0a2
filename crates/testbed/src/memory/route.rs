//! What the path of a request addresses.

use super::resource::Resource;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Version,
    Ready,
    AccessReviews,
    Collection {
        resource: Resource,
        namespace: Option<String>,
    },
    Object {
        resource: Resource,
        namespace: String,
        name: String,
        status: bool,
    },
}

impl Route {
    /// Nothing for a path that the real server answers with «page not found», as far as this one knows.
    pub(super) fn parse(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        match parts.as_slice() {
            ["version"] => Some(Self::Version),
            ["readyz" | "livez" | "healthz"] => Some(Self::Ready),
            [
                "apis",
                "authorization.k8s.io",
                "v1",
                "selfsubjectaccessreviews",
            ] => Some(Self::AccessReviews),
            ["api", "v1", rest @ ..] => Self::within("", rest),
            ["apis", group, "v1", rest @ ..] => Self::within(group, rest),
            _ => None,
        }
    }

    fn within(group: &str, rest: &[&str]) -> Option<Self> {
        let object = |resource, namespace: &str, name: &str, status| Self::Object {
            resource,
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            status,
        };
        match *rest {
            [plural] => Some(Self::Collection {
                resource: Resource::find(group, plural)?,
                namespace: None,
            }),
            ["namespaces", name] if group.is_empty() => {
                Some(object(Resource::Namespaces, "", name, false))
            }
            ["namespaces", namespace, plural] => Some(Self::Collection {
                resource: namespaced(group, plural)?,
                namespace: Some(namespace.to_owned()),
            }),
            ["namespaces", namespace, plural, name] => {
                Some(object(namespaced(group, plural)?, namespace, name, false))
            }
            ["namespaces", namespace, plural, name, "status"] => {
                Some(object(namespaced(group, plural)?, namespace, name, true))
            }
            _ => None,
        }
    }
}

fn namespaced(group: &str, plural: &str) -> Option<Resource> {
    Resource::find(group, plural).filter(|resource| *resource != Resource::Namespaces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_found_below_its_group_alone() {
        assert_eq!(
            Route::parse("/apis/batch/v1/namespaces/n/jobs/j/status"),
            Some(Route::Object {
                resource: Resource::Jobs,
                namespace: "n".to_owned(),
                name: "j".to_owned(),
                status: true
            })
        );
        assert_eq!(Route::parse("/api/v1/namespaces/n/jobs/j"), None);
    }

    #[test]
    fn what_leads_nowhere_is_no_route() {
        for path in [
            "",
            "/",
            "/api/v1",
            "/api/v1/secrets",
            "/api/v1/namespaces/n/namespaces",
            "/api/v2/pods",
        ] {
            assert_eq!(Route::parse(path), None, "{path}");
        }
    }
}
