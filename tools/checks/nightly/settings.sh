# What the scripts beside this one share. Sourced in a script of this folder; continues in that of the repository.
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
# Logs, and the results for 'ratlla-checks record add'.
folder=$PWD/target/nightly
mkdir -p "$folder"
toolchain=${RATLLA_NIGHTLY:-nightly}
record=(--record "$folder/results.jsonl")
if [[ -n ${RATLLA_MACHINE:-} ]]; then
    record+=(--on "$RATLLA_MACHINE")
fi
checks() {
    cargo run --quiet --locked --package ratlla-checks -- "$@"
}
