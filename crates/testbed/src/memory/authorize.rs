//! Who asks, and whether they may.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use http::{Method, header};
use serde_json::Value;

use super::fields::FieldSelector;
use super::log::Received;
use super::object::text;
use super::route::Route;
use super::status::Failure;

/// The certificate that a client identified itself with, as an extension of its request.
#[derive(Clone, Debug)]
pub(super) struct Certificate(pub(super) Vec<u8>);

/// What a request wants to do, as the real server's authorizers see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// The user, after impersonation.
    pub user: String,
    /// `get`, `list`, `create`, `patch`, `update`, `delete` or `deletecollection`.
    pub verb: String,
    /// The API group, empty for the core group.
    pub group: String,
    /// The plural of the kind, with `/status` after it for that sub-resource.
    pub resource: String,
    /// Empty for the whole cluster.
    pub namespace: String,
    /// The name in the path or in the field selector, else empty.
    pub name: String,
}

impl Attributes {
    /// Nothing for paths that are no resource: they are open to everybody.
    pub(super) fn of(user: &str, route: &Route, received: &Received) -> Option<Self> {
        let (resource, namespace, name, status) = match route {
            Route::Version | Route::Ready | Route::AccessReviews => return None,
            Route::Collection {
                resource,
                namespace,
            } => {
                let selector = received.parameter("fieldSelector").unwrap_or_default();
                let selector = FieldSelector::parse(*resource, selector).unwrap_or_default();
                let namespace = namespace.clone().unwrap_or_default();
                (
                    resource,
                    namespace,
                    selector.name().unwrap_or_default().to_owned(),
                    false,
                )
            }
            Route::Object {
                resource,
                namespace,
                name,
                status,
            } => (resource, namespace.clone(), name.clone(), *status),
        };
        let whole = matches!(route, Route::Collection { .. });
        let verb = match received.method {
            Method::GET if whole => "list",
            Method::GET => "get",
            Method::POST => "create",
            Method::PATCH => "patch",
            Method::DELETE if whole => "deletecollection",
            Method::DELETE => "delete",
            _ => "update",
        };
        Some(Self {
            user: user.to_owned(),
            verb: verb.to_owned(),
            group: resource.group().to_owned(),
            resource: format!(
                "{}{}",
                resource.plural(),
                if status { "/status" } else { "" }
            ),
            namespace,
            name,
        })
    }

    /// What a `SelfSubjectAccessReview` asks about.
    pub(super) fn of_review(user: &str, review: &Value) -> Self {
        let field = |name| text(review, &format!("/spec/resourceAttributes/{name}")).to_owned();
        Self {
            user: user.to_owned(),
            verb: field("verb"),
            group: field("group"),
            resource: field("resource"),
            namespace: field("namespace"),
            name: field("name"),
        }
    }

    /// The refusal as the real server words it.
    fn forbidden(&self) -> Failure {
        let place = if self.namespace.is_empty() {
            "at the cluster scope".to_owned()
        } else {
            format!("in the namespace \"{}\"", self.namespace)
        };
        let why = format!(
            "User \"{}\" cannot {} resource \"{}\" in API group \"{}\" {place}",
            self.user, self.verb, self.resource, self.group
        );
        let resource = self.resource.split('/').next().unwrap_or_default();
        Failure::forbidden(&self.group, resource, &self.name, &why)
    }
}

type Rule = Arc<dyn Fn(&Attributes) -> bool + Send + Sync>;

/// The users that a server knows, and what they may do.
#[derive(Clone)]
pub(super) struct Authority {
    pub(super) tokens: HashMap<String, String>,
    pub(super) certificates: HashMap<Vec<u8>, String>,
    pub(super) admits_anonymous: bool,
    pub(super) rule: Rule,
}

impl Default for Authority {
    fn default() -> Self {
        Self {
            tokens: HashMap::new(),
            certificates: HashMap::new(),
            admits_anonymous: true,
            rule: Arc::new(|_| true),
        }
    }
}

impl Authority {
    /// The user of a request: by token, by certificate, or nobody in particular; then whom it impersonates.
    pub(super) fn identify(
        &self,
        received: &Received,
        certificate: Option<&Certificate>,
    ) -> Result<String, Failure> {
        let authorization = received.header(header::AUTHORIZATION);
        let user = if let Some(token) = authorization.strip_prefix("Bearer ") {
            self.tokens.get(token).cloned()
        } else if !authorization.is_empty() {
            None
        } else if let Some(user) = certificate.and_then(|shown| self.certificates.get(&shown.0)) {
            Some(user.clone())
        } else {
            self.admits_anonymous.then(|| "system:anonymous".to_owned())
        };
        let user = user.ok_or_else(Failure::unauthorized)?;
        let impersonated = received.header("impersonate-user");
        Ok(if impersonated.is_empty() {
            user
        } else {
            impersonated.to_owned()
        })
    }

    pub(super) fn allows(&self, attributes: &Attributes) -> bool {
        (self.rule)(attributes)
    }

    pub(super) fn check(&self, attributes: &Attributes) -> Result<(), Failure> {
        if self.allows(attributes) {
            Ok(())
        } else {
            Err(attributes.forbidden())
        }
    }
}

impl fmt::Debug for Authority {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} users",
            self.tokens.len() + self.certificates.len()
        )
    }
}
