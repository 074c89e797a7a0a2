//! How an answer travels: whole, in part, slowly, or not at all.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt, stream};
use http::{HeaderValue, Response, header};
use http_body::Frame;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};

use super::fault::Delivery;

/// The body of an answer; its error is a cut connection.
pub type AnswerBody = UnsyncBoxBody<Bytes, io::Error>;

/// Hands over an answer; an error is a connection that was cut before it.
pub(super) fn deliver(
    answer: Response<Bytes>,
    delivery: Delivery,
) -> io::Result<Response<AnswerBody>> {
    match delivery {
        Delivery::CutAfter | Delivery::CutBefore | Delivery::Never => Err(cut()),
        Delivery::Whole => Ok(answer.map(whole)),
        Delivery::Truncated(length) => {
            Ok(answer.map(|body| whole(body.slice(..length.min(body.len())))))
        }
        Delivery::CutWithin(length) => {
            let mut answer = announced(answer);
            let body = answer.body_mut();
            body.truncate(length);
            let data = Ok(Frame::data(body.clone()));
            // What hyper was given is sent while it waits for more.
            let cut = async {
                tokio::task::yield_now().await;
                Err(cut())
            };
            let frames = stream::iter([data]).chain(stream::once(cut));
            Ok(answer.map(|_| StreamBody::new(frames).boxed_unsync()))
        }
        Delivery::Trickled => Ok(announced(answer).map(|body| {
            let bytes = stream::iter(body).then(async |byte| {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok(Frame::data(Bytes::from(vec![byte])))
            });
            StreamBody::new(bytes).boxed_unsync()
        })),
    }
}

pub(super) fn cut() -> io::Error {
    io::Error::new(
        io::ErrorKind::ConnectionReset,
        "the connection was cut on purpose",
    )
}

fn whole(body: Bytes) -> AnswerBody {
    Full::new(body)
        .map_err(|never| match never {})
        .boxed_unsync()
}

/// Says how long the whole body would be.
fn announced(mut answer: Response<Bytes>) -> Response<Bytes> {
    let length = HeaderValue::from(answer.body().len());
    answer.headers_mut().insert(header::CONTENT_LENGTH, length);
    answer
}
