//! Whether code is compiled at all on this system, in a build of the tests with the default features.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// Whether no `cfg` attribute leaves the item out.
pub fn is_compiled(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .all(|attribute| attribute.parse_args::<Meta>().is_ok_and(|condition| holds(&condition)))
}

fn holds(condition: &Meta) -> bool {
    match condition {
        Meta::Path(name) => {
            name.is_ident("test")
                || name.is_ident("debug_assertions")
                || cfg!(unix) && name.is_ident("unix")
        }
        Meta::NameValue(pair) => {
            let Expr::Lit(ExprLit { lit: Lit::Str(value), .. }) = &pair.value else { return false };
            let here = match pair.path.get_ident().map(ToString::to_string).as_deref() {
                Some("target_os") => std::env::consts::OS,
                Some("target_arch") => std::env::consts::ARCH,
                Some("target_family") => std::env::consts::FAMILY,
                name => return name == Some("feature"),
            };
            value.value() == here
        }
        Meta::List(list) => {
            let parts = list
                .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .unwrap_or_default();
            if list.path.is_ident("not") {
                !parts.iter().all(holds)
            } else if list.path.is_ident("all") {
                parts.iter().all(holds)
            } else {
                parts.iter().any(holds)
            }
        }
    }
}
