//! Options and parameters of games as clients see them, in UCI's form.

use crate::game::Parameter;

/// An option as clients see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    pub kind: OptionKind,
    /// Its default; unused for buttons.
    pub default: String,
}

/// UCI's kinds of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A number within these limits.
    Spin {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// One of these words.
    Combo(Vec<&'static str>),
    /// No value: setting it does something.
    Button,
    /// Any text.
    Text,
}

/// A value of an option, or the word for none.
pub fn or_empty(value: &str) -> &str {
    if value.is_empty() { "<empty>" } else { value }
}

/// The line about an option.
pub fn option_text(option: &OptionInfo) -> String {
    let OptionInfo { name, kind, default } = option;
    let default = or_empty(default);
    match kind {
        OptionKind::Check => format!("option name {name} type check default {default}"),
        OptionKind::Spin { min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo(choices) => {
            let choices: String = choices.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{choices}")
        }
        OptionKind::Button => format!("option name {name} type button"),
        OptionKind::Text => format!("option name {name} type string default {default}"),
    }
}

/// The words about a parameter.
pub fn parameter_text(parameter: &Parameter) -> String {
    match parameter {
        Parameter::Number { name, default, limits: [min, max] } => {
            format!("parameter {name} type spin default {default} min {min} max {max}")
        }
        Parameter::Word(name) => format!("parameter {name} type check default false"),
    }
}
