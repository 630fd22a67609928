# What is built and tested on every system; sourced by the scripts beside it.
programs=(ratlla ratlla-arena ratlla-gui ratlla-play ratlla-kgp)
packages=("${programs[@]/#/--package=}")
# The tests that are neither about Linux nor take long.
engine_tests=(--package=ratlla --lib --test=transcripts --test=protocol_examples --test=during_search --test=pondering)
tool_tests=("${packages[@]:1}" --package=ratlla-client --package=ratlla-common --lib --bins)
