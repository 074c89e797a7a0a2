//! ironflow's objects as the server of a test keeps them: counted from the moment at which its clock stands.

use testbed::objects::{self, ObjectBuilder};

use crate::case::NOW;

pub(crate) fn pod(name: &str) -> ObjectBuilder {
    objects::pod(name).at(NOW)
}

pub(crate) fn job(name: &str) -> ObjectBuilder {
    objects::job(name).at(NOW)
}

pub(crate) fn config_map(name: &str) -> ObjectBuilder {
    objects::config_map(name).at(NOW)
}

pub(crate) fn claim(name: &str) -> ObjectBuilder {
    objects::claim(name).at(NOW)
}
