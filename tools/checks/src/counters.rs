//! The law that the nodes and the time of a search, a perft count or a tree never go back until its end.

use crate::script::ends_job;

/// The first `info` line that has fewer nodes, or less time, than one before it in the same job.
pub fn line_that_counts_back(output: &[String]) -> Option<&String> {
    let mut most = [0; 2];
    output.iter().find(|line| {
        if ends_job(line) {
            most = [0; 2];
        }
        let numbers = ["nodes", "time"].map(|name| number(line, name));
        let goes_back =
            numbers.iter().zip(most).any(|(now, most)| now.is_some_and(|now| now < most));
        for (most, now) in most.iter_mut().zip(numbers) {
            *most = now.unwrap_or(*most);
        }
        goes_back
    })
}

/// The number after this word of an `info` line.
fn number(line: &str, name: &str) -> Option<u64> {
    let mut words = line.strip_prefix("info ")?.split(' ');
    words.find(|word| *word == name)?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::line_that_counts_back;

    #[test]
    fn numbers_grow_until_the_next_search() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let search = "info depth 1 nodes 7 time 0 pv 4\ninfo nodes 900 nps 5 time 3\nbestmove 4\n";
        assert_eq!(line_that_counts_back(&lines(&search.repeat(2))), None);
        // Counts and trees that take long say so, and end without a `bestmove`.
        for end in
            ["tree value 0 nodes 45 leaves 37 cutoffs 3 pv a2 h1", "perft total 900 time 2000"]
        {
            let slow = format!("info nodes 900 nps 0 time 1346\n{end}\n{search}");
            assert_eq!(line_that_counts_back(&lines(&slow)), None, "{end}");
        }
        for wrong in ["info score draw nodes 899 time 3 pv 4", "info depth 2 nodes 900 time 2 pv 4"]
        {
            let text = search.replace("bestmove", &format!("{wrong}\nbestmove"));
            assert_eq!(line_that_counts_back(&lines(&text)).map(String::as_str), Some(wrong));
        }
    }
}
