#!/usr/bin/env bash
# Libraries name fields, at_field("gpu") and `gpu`; only front/cli knows that people type --gpu. So no string in
# the modules below it holds a flag. Usage: flags.sh ROOT
set -euo pipefail
cd "$1"
# These start other programs, or this one as another process: the flags are words of an argument list or of a
# batch script, never of a message.
starters='runtime/measure/src/(rank_shell|rank_wrapper|launched_command|loopback_only|slurm_job|slurm_script)\.cpp|decide/study/src/own_evaluator\.cpp|front/daemon/src/slurm_executor\.cpp|front/report/src/skypilot_task\.cpp'

scripts/sources.sh '^(base|facts|models|runtime|decide|front/ask|front/daemon|front/report)/.*\.(cpp|h)$' |
  { grep -vE "/(tests|fuzz)/|^($starters)$" || true; } | xargs awk '
  FNR == 1 { files++ }
  !/--/ { next }
  {
    line = $0
    gsub(/\047\\?"\047/, "", line)  # a quote as a character opens no string
    while (match(line, /"([^"\\]|\\.)*"|\/\//)) {
      text = substr(line, RSTART, RLENGTH)
      if (text == "//") break
      line = substr(line, RSTART + RLENGTH)
      # A whole command of this program is a line for a terminal, whoever asked: "run \047sextant fit --method kernel\047".
      gsub(/sextant [a-z]+( [A-Za-z]+)?( --[a-z-]+( [A-Za-z.\/]+)?)+/, "", text)
      if (text ~ /(^"|[^A-Za-z0-9+-])--([a-z]|"$)/) {
        print FILENAME ":" FNR ": a flag in " text
        faults++
      }
    }
  }
  END { print files " files checked, " faults + 0 " faults"; exit faults > 0 }'
