//! Asks the server whether the user may delete, before the user is asked.

use http::Request;
use http::header::CONTENT_TYPE;
use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use reap_core::object::Kind;

use super::Api;

impl Api {
    /// Returns whether the user may delete objects of a kind in a namespace; `None` where the server does not tell.
    /// A right that is limited to names is not seen.
    pub(crate) async fn may_delete(&self, kind: Kind, namespace: &str) -> Option<bool> {
        let review = SelfSubjectAccessReview {
            spec: SelfSubjectAccessReviewSpec {
                resource_attributes: Some(ResourceAttributes {
                    namespace: Some(namespace.to_owned()),
                    verb: Some("delete".to_owned()),
                    group: Some(kind.api_group().to_owned()),
                    resource: Some(kind.plural().to_owned()),
                    ..ResourceAttributes::default()
                }),
                ..SelfSubjectAccessReviewSpec::default()
            },
            ..SelfSubjectAccessReview::default()
        };
        let request = Request::post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
            .header(CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(&review).ok()?)
            .ok()?;
        let answer = self.exchange(request).await.ok()?;
        let review: SelfSubjectAccessReview = serde_json::from_slice(&answer.body).ok()?;
        review.status.map(|status| status.allowed)
    }
}
