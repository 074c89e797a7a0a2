//! The answer to a request, before anything goes wrong with it.

use bytes::Bytes;
use http::{Method, Response, StatusCode, header};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::DeleteOptions;
use serde_json::{Value, json};

use super::Server;
use super::authorize::{Attributes, Authority, Certificate};
use super::delete::delete;
use super::fault::Quirk;
use super::list::Query;
use super::log::Received;
use super::object::partial;
use super::resource::Resource;
use super::route::Route;
use super::status::Failure;
use super::store::key;
use super::write::{create, patch};

const JSON: &str = "application/json";
const PLAIN: &str = "text/plain; charset=utf-8";

/// An answer in the making: its status and its JSON text.
type Made = Result<(StatusCode, String), Failure>;

/// Does what the request asks for and answers it.
pub(super) fn answer(
    server: &Server,
    authority: &Authority,
    received: &Received,
    certificate: Option<&Certificate>,
    quirks: &[Quirk],
) -> Response<Bytes> {
    let user = match authority.identify(received, certificate) {
        Ok(user) => user,
        Err(failure) => return failed(&failure),
    };
    let Some(route) = Route::parse(&received.path) else {
        if ["/api/v1/", "/apis/batch/v1/"]
            .iter()
            .any(|group| received.path.starts_with(group))
        {
            return failed(&Failure::of_code(StatusCode::NOT_FOUND));
        }
        return response(StatusCode::NOT_FOUND, PLAIN, "404 page not found\n");
    };
    let allowed = Attributes::of(&user, &route, received)
        .map_or(Ok(()), |attributes| authority.check(&attributes));
    let made = allowed.and_then(|()| match &route {
        Route::Version => Ok((StatusCode::OK, version().to_string())),
        Route::Ready => Ok((StatusCode::OK, "ok".to_owned())),
        Route::AccessReviews if received.method == Method::POST => {
            let mut review = received.json();
            let allowed = authority.allows(&Attributes::of_review(&user, &review));
            review["status"] = json!({"allowed": allowed});
            Ok((StatusCode::CREATED, review.to_string()))
        }
        Route::AccessReviews => Err(Failure::method_not_allowed()),
        Route::Collection {
            resource,
            namespace,
        } => collection(server, received, *resource, namespace.as_deref(), quirks),
        Route::Object {
            resource,
            namespace,
            name,
            status,
        } => object(server, received, *resource, (namespace, name), *status),
    });
    match made {
        Ok((status, body)) if route == Route::Ready => response(status, PLAIN, body),
        Ok((status, body)) => response(status, JSON, body),
        Err(failure) => failed(&failure),
    }
}

fn collection(
    server: &Server,
    received: &Received,
    resource: Resource,
    namespace: Option<&str>,
    quirks: &[Quirk],
) -> Made {
    let metadata_only = received
        .header(header::ACCEPT)
        .contains("as=PartialObjectMetadataList");
    match received.method {
        Method::GET => {
            let query = Query::new(resource, namespace, received, quirks, metadata_only)?;
            let moment = server.store(|store| query.moment(store))?;
            Ok((StatusCode::OK, query.answer(&moment)))
        }
        Method::POST => {
            let now = server.clock().now();
            let dry_run = received.parameter("dryRun").is_some();
            let namespace = namespace.unwrap_or_default();
            let created = server
                .store(|store| create(store, resource, namespace, received.json(), dry_run, now))?;
            Ok((StatusCode::CREATED, created.to_string()))
        }
        _ => Err(Failure::method_not_allowed()),
    }
}

fn object(
    server: &Server,
    received: &Received,
    resource: Resource,
    place: (&str, &str),
    status: bool,
) -> Made {
    let object = match received.method {
        Method::GET => server
            .store(|store| {
                let object = store.object(resource, &key(place.0, place.1));
                object.map(|object| object.padded(resource))
            })
            .ok_or_else(|| Failure::not_found(resource, place.1))?,
        Method::PATCH => {
            let change = received.json();
            let dry_run = received.parameter("dryRun").is_some();
            server.store(|store| patch(store, resource, place, status, &change, dry_run))?
        }
        Method::DELETE if !status => {
            let options = options(received)?;
            let now = server.clock().now();
            server.store(|store| delete(store, resource, place, &options, now))?
        }
        _ => return Err(Failure::method_not_allowed()),
    };
    let metadata_only = received
        .header(header::ACCEPT)
        .contains("as=PartialObjectMetadata;");
    let is_object = object["kind"] != "Status";
    let object = if metadata_only && is_object {
        partial(object)
    } else {
        object
    };
    Ok((StatusCode::OK, object.to_string()))
}

/// The options of a deletion: the body, or the query where there is no body.
fn options(received: &Received) -> Result<DeleteOptions, Failure> {
    let options = if received.body.is_empty() {
        DeleteOptions {
            dry_run: received
                .parameter("dryRun")
                .map(|stage| vec![stage.to_owned()]),
            grace_period_seconds: received
                .parameter("gracePeriodSeconds")
                .map(str::parse)
                .transpose()
                .map_err(|error| Failure::bad_request(format!("gracePeriodSeconds: {error}")))?,
            propagation_policy: received.parameter("propagationPolicy").map(str::to_owned),
            ..DeleteOptions::default()
        }
    } else {
        let decoded = serde_json::from_slice(&received.body);
        decoded.map_err(|error| Failure::bad_request(error.to_string()))?
    };
    let invalid = |reason, field, wrong: &str| {
        Err(Failure::invalid(
            "meta.k8s.io",
            "DeleteOptions",
            (reason, field, wrong),
        ))
    };
    let unsupported = "FieldValueNotSupported";
    if let Some(policy) = options.propagation_policy.as_deref() {
        if options.orphan_dependents.is_some() {
            let wrong = format!(
                "Invalid value: \"{policy}\": orphanDependents and deletionPropagation cannot be both set"
            );
            return invalid("FieldValueInvalid", "propagationPolicy", &wrong);
        }
        if !["Background", "Foreground", "Orphan"].contains(&policy) {
            let wrong = format!(
                "Unsupported value: \"{policy}\": supported values: \"Foreground\", \"Background\", \
                 \"Orphan\", \"nil\""
            );
            return invalid(unsupported, "propagationPolicy", &wrong);
        }
    }
    let stages = options.dry_run.as_deref().unwrap_or_default();
    if stages.iter().any(|stage| stage != "All") {
        let wrong = format!(
            "Unsupported value: {}: supported values: \"All\"",
            json!(stages)
        );
        return invalid(unsupported, "dryRun", &wrong);
    }
    Ok(options)
}

fn version() -> Value {
    json!({"major": "1", "minor": "37", "gitVersion": "v1.37.2", "platform": "linux/amd64"})
}

fn failed(failure: &Failure) -> Response<Bytes> {
    response(failure.code, JSON, failure.to_json().to_string())
}

pub(super) fn response(
    status: StatusCode,
    content_type: &str,
    body: impl Into<Bytes>,
) -> Response<Bytes> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    if let Ok(content_type) = content_type.parse() {
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, content_type);
    }
    response
}
