# What is built and tested on every system; sourced by the scripts beside it.
programs=(ratlla ratlla-arena ratlla-gui ratlla-play ratlla-kgp)
packages=("${programs[@]/#/--package=}")
# The tests that are neither about Linux nor take long; those named are the engine's.
tests=("${packages[@]}" --package=ratlla-client --package=ratlla-common --lib --bins
    --test=transcripts --test=protocol_examples --test=during_search --test=pondering)
