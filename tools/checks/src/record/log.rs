//! Results from the output of other programs.

use anyhow::{Context as _, Result, ensure};

use super::{Kind, Under};

/// The result of a fuzz target, from libFuzzer's output. A run that did not end has none.
pub fn fuzz(target: &str, log: &str) -> Result<Kind> {
    // "Done 343537 runs in 601 second(s)"
    let done = log.lines().find_map(|line| line.strip_prefix("Done ")).context("no end")?;
    let [inputs, "runs", "in", seconds, _] = done.split(' ').collect::<Vec<_>>()[..] else {
        anyhow::bail!("expected 'Done N runs in N second(s)' (got 'Done {done}')");
    };
    // "#343537	DONE   cov: 1076 ft: 4562 corp: 812/45Kb lim: 4096 exec/s: 572 rss: 401Mb"
    let coverage = log.lines().rev().find_map(|line| line.split_once(" cov: "));
    let coverage = coverage.and_then(|(_, rest)| rest.split(' ').next()).context("no coverage")?;
    let new = log.lines().find_map(|line| line.strip_prefix("stat::new_units_added:"));
    let new = new.context("no final statistics: run with -print_final_stats=1")?.trim();
    Ok(Kind::Fuzz {
        target: target.to_owned(),
        seconds: seconds.parse().context("seconds")?,
        inputs: inputs.parse().context("inputs")?,
        coverage: coverage.parse().context("coverage")?,
        new: new.parse().context("new inputs")?,
    })
}

/// What a sanitizer or Miri writes about a defect.
const REPORTS: [&str; 4] = [
    "WARNING: ThreadSanitizer",
    "ERROR: AddressSanitizer",
    "ERROR: LeakSanitizer",
    "Undefined Behavior",
];

/// The result of tests, from the output of `cargo test`. No test may have failed, or left a report.
pub fn tests(under: Under, log: &str) -> Result<Kind> {
    for report in REPORTS {
        ensure!(!log.contains(report), "a report: {report}");
    }
    let mut tests = 0;
    for line in log.lines() {
        // Tests that print may leave their output before it.
        let Some((_, result)) = line.split_once("test result: ") else { continue };
        let passed = result.strip_prefix("ok. ").with_context(|| result.to_owned())?;
        let passed = passed.split(' ').next().unwrap_or_default();
        tests += passed.parse::<u64>().with_context(|| result.to_owned())?;
    }
    ensure!(tests > 0, "no test passed");
    Ok(Kind::Tests { under, tests })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUZZ: &str = "#2\tINITED cov: 40 ft: 41 corp: 1/1b exec/s: 0 rss: 40Mb\n\
        #9\tNEW    cov: 52 ft: 60 corp: 2/5b lim: 4 exec/s: 0 rss: 40Mb L: 3/3 MS: 1 CopyPart-\n\
        #1234\tDONE   cov: 77 ft: 90 corp: 9/50b lim: 4 exec/s: 617 rss: 41Mb\n\
        Done 1234 runs in 2 second(s)\n\
        stat::number_of_executed_units: 1234\n\
        stat::average_exec_per_sec:     617\n\
        stat::new_units_added:          8\n";

    #[test]
    fn the_result_of_a_fuzz_target() {
        let target = "book".to_owned();
        let expected = Kind::Fuzz { target, seconds: 2, inputs: 1234, coverage: 77, new: 8 };
        assert_eq!(fuzz("book", FUZZ).expect("a result"), expected);
    }

    #[test]
    fn a_run_without_its_end_has_no_result() {
        let lines: Vec<&str> = FUZZ.lines().collect();
        for (without, reason) in [(3, "no end"), (6, "no final statistics")] {
            let mut rest = lines.clone();
            rest.remove(without);
            let error = fuzz("book", &rest.join("\n")).expect_err("refused").to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!(fuzz("book", &FUZZ.replace(" runs in ", " runs after ")).is_err());
        assert!(fuzz("book", &FUZZ.replace(" cov: ", " ")).is_err());
        assert!(fuzz("book", "").is_err());
    }

    const TESTS: &str = "running 3 tests\n\
        test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
        .....test result: ok. 40 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out\n";

    #[test]
    fn tests_are_those_of_all_programs() {
        let under = Under::Miri;
        assert_eq!(tests(under, TESTS).expect("a result"), Kind::Tests { under, tests: 42 });
    }

    #[test]
    fn a_failure_or_a_report_is_no_result() {
        let failed = TESTS.replace("ok. 40 passed; 0", "FAILED. 39 passed; 1");
        assert!(
            tests(Under::Miri, &failed).expect_err("refused").to_string().contains("39 passed")
        );
        assert!(tests(Under::Miri, "running 0 tests\n").is_err());
        let none = "test result: ok. 0 passed; 0 failed\n";
        assert_eq!(tests(Under::Miri, none).expect_err("refused").to_string(), "no test passed");
        for report in REPORTS {
            let log = format!("==123==\n{report}: 1\n{TESTS}");
            let error = tests(Under::ThreadSanitizer, &log).expect_err("refused").to_string();
            assert!(error.contains(report), "{error}");
        }
    }
}
