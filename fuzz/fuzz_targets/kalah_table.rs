#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| ratlla_fuzzing::check("kalah_table", data));
