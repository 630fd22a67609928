//! `ratlla-lab`: see the library.

fn main() -> std::process::ExitCode {
    ratlla_lab::main()
}
