//! DELETE of exactly one object: the one that was judged.

use http::Request;
use http::header::{ACCEPT, CONTENT_TYPE};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{DeleteOptions as Body, Preconditions};
use reap_core::object::ObjectRef;

use super::path::collection;
use super::{Answer, Api, Unanswered};

const METADATA: &str =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// How objects are deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct DeleteOptions {
    /// Ask the server what it would do, and change nothing.
    pub(crate) dry_run: bool,
    /// How many seconds a pod has to end; `None` leaves it to the pod.
    pub(crate) grace_period_seconds: Option<i64>,
}

impl Api {
    /// Sends one DELETE that holds only for the object as it was judged: its uid and resource version go with it.
    pub(crate) async fn delete(
        &self,
        target: &ObjectRef,
        options: DeleteOptions,
    ) -> Result<Answer, Unanswered> {
        let body = Body {
            api_version: Some("v1".to_owned()),
            kind: Some("DeleteOptions".to_owned()),
            dry_run: options.dry_run.then(|| vec!["All".to_owned()]),
            grace_period_seconds: options.grace_period_seconds,
            preconditions: Some(Preconditions {
                uid: Some(target.uid.clone()),
                resource_version: Some(target.resource_version.clone()),
            }),
            propagation_policy: Some("Background".to_owned()),
            ..Body::default()
        };
        let path = collection(target.kind, Some(&target.namespace));
        let request = Request::delete(format!("{path}/{}", target.name))
            .header(ACCEPT, METADATA)
            .header(CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(&body).expect("delete options serialize"))
            .expect("the plan holds only names that are safe in a path");
        self.exchange(request).await
    }
}
