#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ratlla_checks::targets::check("certificate", data));
