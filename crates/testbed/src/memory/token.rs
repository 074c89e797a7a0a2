//! Continue tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::status::Failure;

/// Where a list goes on, in the form of the real server's tokens.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Token {
    #[serde(rename = "v")]
    pub(super) version: String,
    /// The moment that the list shows; -1 stands for the latest.
    #[serde(rename = "rv")]
    pub(super) moment: i64,
    /// The last key that was looked at, with a zero byte after it, relative to what is listed.
    pub(super) start: String,
    /// How many objects are left, so that nobody has to count them again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<usize>,
    /// How often a list that never ends has begun anew.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) lap: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Token {
    pub(super) fn parse(token: &str) -> Result<Self, Failure> {
        let bytes = URL_SAFE_NO_PAD
            .decode(token)
            .map_err(|error| error.to_string());
        let parsed = bytes.and_then(|bytes| {
            serde_json::from_slice::<Self>(&bytes).map_err(|error| error.to_string())
        });
        parsed.map_err(|error| {
            Failure::bad_request(format!(
                "invalid continue token: continue key is not valid: {error}"
            ))
        })
    }

    pub(super) fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(json!(self).to_string())
    }
}
