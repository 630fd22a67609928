//! The page's files, embedded in the program.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// The page.
pub async fn index() -> Response {
    file(Path("index.html".to_owned())).await
}

/// A file of the page.
pub async fn file(Path(path): Path<String>) -> Response {
    match Page::get(&path) {
        Some(file) => {
            let kind = mime_guess::from_path(&path).first_or_octet_stream();
            ([(header::CONTENT_TYPE, kind.to_string())], file.data).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
