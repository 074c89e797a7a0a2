//! How the tests come by objects: built as JSON, read as an answer of the API server is read.

use testbed::objects::{NOW, ObjectBuilder};

use crate::judge::{Circumstances, Mounts, Verdict, judge};
use crate::object::{Kind, Object};
use crate::time::UnixSeconds;

pub(crate) const AT_NOW: UnixSeconds = UnixSeconds(NOW);

pub(crate) fn read(builder: ObjectBuilder) -> Object {
    let json = builder.build();
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| json["kind"] == kind.as_str());
    Object::from_json(
        kind.expect("the builders make ironflow's kinds"),
        &json.to_string(),
    )
}

/// The verdict now, with nothing mounted and without `--stuck`.
pub(crate) fn verdict(builder: ObjectBuilder) -> Verdict {
    let circumstances = Circumstances {
        now: AT_NOW,
        stuck: false,
        mounts: &Mounts::default(),
    };
    judge(&read(builder), &circumstances)
}

/// The verdict now, with nothing mounted and with `--stuck`.
pub(crate) fn verdict_with_stuck(builder: ObjectBuilder) -> Verdict {
    let circumstances = Circumstances {
        now: AT_NOW,
        stuck: true,
        mounts: &Mounts::default(),
    };
    judge(&read(builder), &circumstances)
}

pub(crate) fn mounts(pods: impl IntoIterator<Item = ObjectBuilder>) -> Mounts {
    let mut mounts = Mounts::default();
    for pod in pods {
        mounts.insert(&read(pod));
    }
    mounts
}
