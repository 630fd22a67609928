//! The page's files, embedded in the program and sent compressed. Browsers keep them, and ask each time
//! whether they have changed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::{LazyLock, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// The compressed files that were asked for.
static COMPRESSED: LazyLock<Mutex<HashMap<String, Bytes>>> = LazyLock::new(Mutex::default);

/// The page.
pub async fn index(headers: HeaderMap) -> Response {
    file(Path("index.html".to_owned()), headers).await
}

/// A file of the page.
pub async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let Some(file) = Page::get(&path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let has = |name: HeaderName, word: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        value.split(',').any(|part| part.split(';').next().map(str::trim) == Some(word))
    };
    let tag = format!("\"{}\"", HEXLOWER.encode(&file.metadata.sha256_hash()[..16]));
    let validators = [(header::ETAG, tag.clone()), (header::VARY, "Accept-Encoding".to_owned())];
    if has(header::IF_NONE_MATCH, &tag) {
        return (StatusCode::NOT_MODIFIED, validators).into_response();
    }
    let kind = mime_guess::from_path(&path).first_or_octet_stream().to_string();
    let headers_of_file = (validators, [(header::CONTENT_TYPE, kind)]);
    match compressed(path, &file.data) {
        Ok(bytes) if has(header::ACCEPT_ENCODING, "gzip") => {
            (headers_of_file, [(header::CONTENT_ENCODING, "gzip")], bytes).into_response()
        }
        _ => (headers_of_file, Cow::into_owned(file.data)).into_response(),
    }
}

fn compressed(path: String, data: &[u8]) -> io::Result<Bytes> {
    let mut files = COMPRESSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = files.get(&path) {
        return Ok(bytes.clone());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data)?;
    let bytes = Bytes::from(encoder.finish()?);
    files.insert(path, bytes.clone());
    Ok(bytes)
}
