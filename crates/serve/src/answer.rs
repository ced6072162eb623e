//! What goes wrong while a request is answered, as a status and a line.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lydite_core::visible::visible;

/// Why there is no page.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    text: String,
}

impl Problem {
    pub(crate) fn not_found(what: &str) -> Problem {
        Problem {
            status: StatusCode::NOT_FOUND,
            text: format!("{what}: not here"),
        }
    }

    pub(crate) fn forbidden(text: impl ToString) -> Problem {
        Problem {
            status: StatusCode::FORBIDDEN,
            text: text.to_string(),
        }
    }

    pub(crate) fn busy(text: impl ToString) -> Problem {
        Problem {
            status: StatusCode::CONFLICT,
            text: text.to_string(),
        }
    }

    pub(crate) fn refused(text: impl ToString) -> Problem {
        Problem {
            status: StatusCode::BAD_REQUEST,
            text: text.to_string(),
        }
    }
}

impl From<anyhow::Error> for Problem {
    fn from(error: anyhow::Error) -> Problem {
        Problem {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            text: format!("{error:#}"),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        // Plain text: nothing in it is looked at by the browser.
        (self.status, visible(&self.text) + "\n").into_response()
    }
}

/// Does what touches files away from the thread that answers.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|panic| Err(anyhow::Error::from(panic).into()))
}
