#!/usr/bin/env bash
# What the simulator says beside a real cluster: the 120 jobs that Shockwave's authors ran on 32 GPUs under several
# policies. Three numbers are not in the trace: how much faster jobs get that adapt their batch size (by mode), and what a
# start costs. They are chosen, for each policy, on the other policies only. Needs the measured tables (SEXTANT_DATA).
set -euo pipefail
cd "$(dirname "$0")/.."
data=${SEXTANT_DATA:-../shared/data}
trace=$data/gavel/traces/shockwave_120jobs_multigpu_dynamic.trace
physical=$data/../reference/shockwave-physical
if [[ ! -f $trace || ! -d $physical ]]; then
  echo "no measured runs below '$data': set SEXTANT_DATA" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Gavel's ten columns, the mode as part of the model; and the speeds that steps and duration imply, times its factor.
awk -F'\t' -v OFS='\t' '{ print $1 " " $8, $2, $3, $4, $5, $6, $7, $9, $10, $12 }' "$trace" >"$work/jobs.trace"
speeds() {
  awk -F'\t' -v accordion="$1" -v gns="$2" '
    { factor = $8 == "gns" ? gns : $8 == "accordion" ? accordion : 1
      speed["('"'"'" $1 " " $8 "'"'"', " $7 ")"] = factor * $6 / $11 }
    END { printf "{\"gpu\": {"
          for (key in speed) printf "%s\"%s\": {\"null\": %.9g}", comma++ ? ", " : "", key, speed[key]
          print "}}" }' "$trace"
}

for accordion in 1 1.15 1.3 1.5; do
  for gns in 1 1.2 1.5 1.8; do
    speeds $accordion $gns >"$work/speeds.json"
    for start in 0 15 30 60 90; do
      build/sextant simulate --trace "$work/jobs.trace" --throughputs "$work/speeds.json" --cluster gpu=32/4 \
        --policy allox,finish-time-fairness,max-min,max-throughput,makespan --mechanism rounds --round 120s --reallocate 1920s \
        --startup ${start}s --restart ${start}s --format csv |
        awk -F, -v a=$accordion -v g=$gns -v s=$start '
          NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "mean_jct_s") column = i; next }
          { print a, g, s, $1, $column }'
    done
  done
done >"$work/simulated"

awk -F, 'NR > 1 { print $1, $2 }' "$physical/fidelity_summary.csv" | awk -v simulated="$work/simulated" '
  BEGIN { name["allox"] = "allox"; name["finish_time_fairness"] = "finish-time-fairness"
          name["max_min_fairness"] = "max-min"; name["max_sum_throughput_perf"] = "max-throughput"
          name["min_total_duration"] = "makespan" }
  $1 in name { physical[name[$1]] = $2 }
  END {
    while ((getline < simulated) > 0) {
      setting = $1 " " $2 " " $3
      settings[setting] = 1
      jct[setting, $4] = $5
    }
    printf "%-22s %12s %12s %8s   %s\n", "policy", "physical_s", "simulated_s", "error", "accordion gns start_s"
    for (policy in physical) {
      best = ""
      for (setting in settings) {
        sum = 0
        for (other in physical) {
          if (other != policy) sum += (jct[setting, other] / physical[other] - 1) ^ 2
        }
        if (best == "" || sum < least || (sum == least && setting < best)) { least = sum; best = setting }
      }
      error = 100 * (jct[best, policy] / physical[policy] - 1)
      printf "%-22s %12.0f %12.0f %+7.1f%%   %s\n", policy, physical[policy], jct[best, policy], error, best
    }
  }' | { read -r header; echo "$header"; sort; }
