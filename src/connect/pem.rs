//! Answers for certificates and keys: inline data or a file, read as leniently as Go reads them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Error;

/// The PEM text of inline base64 (blanks and line breaks allowed), else of a file; `None` if neither is there.
///
/// # Errors
///
/// Data that is no base64, and a file that cannot be read.
pub(super) fn load(
    what: &'static str,
    data: Option<&str>,
    path: Option<&str>,
) -> Result<Option<Vec<u8>>, Error> {
    match (data, path) {
        (Some(data), _) => decode(data).map(Some).ok_or(Error::InvalidCredential {
            what,
            reason: "its data is no base64",
        }),
        (None, Some(path)) => std::fs::read(path)
            .map(Some)
            .map_err(|source| Error::ReadFile {
                what,
                path: path.to_owned(),
                source,
            }),
        (None, None) => Ok(None),
    }
}

pub(super) fn encode(pem: &[u8]) -> String {
    STANDARD.encode(pem)
}

/// The DER of each certificate in a bundle; what is no certificate is left out, as Go's `AppendCertsFromPEM` does.
pub(super) fn certificates(pem: &[u8]) -> Vec<Vec<u8>> {
    String::from_utf8_lossy(pem)
        .split("-----BEGIN CERTIFICATE-----")
        .filter_map(|section| section.split_once("-----END CERTIFICATE-----"))
        .filter_map(|(body, _)| decode(body))
        .collect()
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let text: String = text.split_whitespace().collect();
    STANDARD.decode(text).ok()
}
