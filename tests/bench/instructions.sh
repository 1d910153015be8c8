#!/bin/sh
# Counts instructions an event with callgrind: the difference between a long and a short run,
# divided by the difference in events, so that set-up cancels.
# usage: [DELAYS=mixed] instructions.sh BUILD_FOLDER [PROCESSES...]
set -eu

build=${1:?usage: instructions.sh BUILD_FOLDER [PROCESSES...]}
shift
[ $# -gt 0 ] || set -- 64 1024 16384
command -v valgrind >/dev/null || { echo "instructions.sh: valgrind is not installed" >&2; exit 1; }

delays=${DELAYS:-exponential}

# instructions PROGRAM PROCESSES EVENTS NAME: instructions of one whole run.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null \
    "$build/tests/bench/$1" --processes "$2" --events "$3" --only "$4" \
    --delays "$delays" 2>&1 >/dev/null |
    sed -n 's/.*Collected : //p'
}

short=200000
long=600000
for contestant in bench_phold:coroutines bench_phold:loop \
  bench_queues:four-ary-heap bench_queues:calendar bench_queues:radix-heap \
  bench_queues:winner-tree; do
  program=${contestant%%:*}
  name=${contestant#*:}
  [ "$program" = bench_queues ] || [ "$delays" = exponential ] || continue
  for processes in "$@"; do
    few=$(instructions "$program" "$processes" "$short" "$name")
    many=$(instructions "$program" "$processes" "$long" "$name")
    echo "$program $name $processes processes: $(((many - few) / (long - short))) instructions an event"
  done
done
