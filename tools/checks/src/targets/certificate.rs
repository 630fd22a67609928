//! Certificates about Conecta-4 BOOM.

use ratlla_lab::boom_certificate::certificate::{Certificate, checksum_line};

/// Bytes are rejected, or are a certificate that is written the same, and is checked or rejected. With
/// their checksum corrected too: else nothing behind it would be reached.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check_text(&text);
    if let Some((signed, _)) = text.rsplit_once("sha256") {
        check_text(&format!("{signed}{}", checksum_line(signed)));
    }
}

fn check_text(text: &str) {
    match Certificate::parse(text) {
        Ok(certificate) => {
            assert_eq!(certificate.to_text(), text);
            // Whether it proves its claim is for the tests of the checker.
            let _ = certificate.check();
        }
        Err(error) => assert!(!format!("{error:#}").contains(char::is_control), "{error:?}"),
    }
}
