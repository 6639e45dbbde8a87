// A line for each result that is made in well under a second, and how its command is run.
#pragma once

#include "cli_fixture.h"
#include "sextant/core/text.h"

namespace sextant::cli::test {

// Words stand between single blanks. EXAMPLES is the folder of that name and SOURCE the root, and "; " ends a
// command that the next needs. An infeasible answer is a result too.
constexpr const char* kCommandsWithResults[] = {
    "predict resnet50 --gpu v100,a100 --batch 32",
    "predict vgg16 --machine aws/p3.16xlarge --nodes 1,2 --strategy data --epochs 2 --samples 1000",
    "predict resnet50 --gpu a100 --count 8 --strategy data,zero-3,pipeline --batch 32,64",
    "predict resnet50 --machine p4d.24xlarge --nodes 1,2,4 --epochs 90 --samples 1281167",
    "predict resnet50 --gpu all --max-batch",
    "predict bert-large --gpu a100,t4",
    "advise resnet18 --samples 1000 --machine aws/p3.2xlarge,aws/p3.8xlarge --count 1,2",
    "advise resnet18 --samples 1000000 --deadline 1s --machine aws/p3.2xlarge --count 1",
    "scale resnet18 --machine aws/p3.2xlarge --samples 1000,2000 --most 2",
    "scale resnet18 --machine aws/p3.2xlarge --samples 1000 --most 2 --curve",
    "net summary resnet18 --batch 2",
    "net summary resnet18 --totals",
    "list",
    "list gpus",
    "list cpus",
    "list links",
    "list machines",
    "list nets",
    "list policies",
    "list search-strategies",
    "list predictors",
    "list methods",
    "list trace-formats",
    "list faults",
    "list placements",
    "list training-strategies",
    "list rules",
    "list attacks",
    "list designs",
    "list stacks",
    "list recipes",
    "describe gpu v100",
    "describe cpu epyc-7742",
    "describe link nvlink-2",
    "describe machine aws/p3.2xlarge",
    "describe net resnet50",
    "describe predictor kernel",
    "describe stack pytorch",
    "describe recipe pytorch-2.1",
    "describe policy fifo",
    "describe rule krum",
    "describe attack alie",
    "describe search-strategy sextant",
    "collective --system a100-dgx --gpus 2,4 --bytes 1MiB",
    "collective --system a100-dgx --gpus 4 --algorithm all",
    "fit --data EXAMPLES/fit/runs.csv --response time_s --method ols,ridge --out model.json",
    "fit --data EXAMPLES/scaling/timed.csv --method scaling --out law.json",
    "fit --data EXAMPLES/own-stack/runs.csv --method kernel --stack mine --out mine.json",
    "fit --data EXAMPLES/fit/runs.csv --response time_s --method ols --out m.json; "
    "evaluate --model m.json --data EXAMPLES/fit/new.csv",
    "fit --data EXAMPLES/scaling/timed.csv --method scaling --out law.json; "
    "evaluate --model law.json --data EXAMPLES/scaling/new.csv",
    "records import EXAMPLES/records/runs.csv",
    "records import EXAMPLES/records/runs.csv; records list",
    "records import EXAMPLES/records/runs.csv; records check",
    "trace generate philly:jobs=20 --out own.csv; trace summarize EXAMPLES/trace/jobs.csv own.csv --gpus 16",
    "trace convert EXAMPLES/trace/jobs.csv --out jobs.csv",
    "trace generate philly:jobs=20 --out jobs.csv",
    "predict --cases EXAMPLES/cases/cases.csv",
    "collective --cases EXAMPLES/collective/cases.csv",
    "spans analyze SOURCE/runtime/spans/fuzz/corpus/read_spans/perfetto.json",
    "config show",
    "version",
    "simulate --generate philly:jobs=20 --cluster v100=4 --policy fifo,srtf --seeds 2",
    "plan simulate --generate study:nodes=2:instances=2 --method fifo,edf",
    "list planning-methods",
    "measure input --formats records --batch 4,8 --batches 4 --samples 32 --prefetch 0 --cache 0 --image 16",
    "queue --model mmc --arrival-rate 3 --service-time 1 --servers 4,8",
    "queue --model mmc --arrival-rate 3 --service-time 1 --target-wait 0.5",
    "queue --classes EXAMPLES/queue/classes.csv",
    "queue --model mva --demands 0.5,0.3 --think 2 --population 1,2",
    "queue --model laws --demands 0.5,0.3 --think 2 --population 100",
    "queue --model laws --completions 120 --period 600 --residence 30",
    "queue --records SOURCE/models/queueing/fuzz/corpus/records/instants.csv --servers 6",
    "analyze EXAMPLES/analyze/runs.csv --response time",
    "analyze EXAMPLES/analyze/runs.csv --response time --show interactions",
    "explore EXAMPLES/explore/study.toml --no-run --store study.sqlite",
    "explore ask EXAMPLES/explore/study.toml --store study.sqlite; "
    "explore status EXAMPLES/explore/study.toml --store study.sqlite",
    "explore ask EXAMPLES/explore/study.toml --store study.sqlite --count 2",
    "explore design EXAMPLES/design/space.toml --design fractional:runs=8",
    "explore design EXAMPLES/design/space.toml --design fractional:runs=8 --aliases",
    "explore --table EXAMPLES/analyze/workloads.csv --group case --config machine,count --objective cost_usd "
    "--censored completed=0 --trials 3 --seeds 2",
};

// The outcome of the last command; those before it make its files.
inline Outcome outcome_of(const char* commands, const std::vector<std::string>& more,
                          const Terminal& terminal) {
  Outcome outcome{};
  for (const std::string& command : split(commands, ';')) {
    std::vector<std::string> words = split(trim(command), ' ');
    for (std::string& word : words) {
      if (word.starts_with("EXAMPLES")) word.replace(0, 8, SEXTANT_SOURCE_DIR "/examples");
      if (word.starts_with("SOURCE")) word.replace(0, 6, SEXTANT_SOURCE_DIR);
    }
    words.insert(words.end(), more.begin(), more.end());
    outcome = sextant_run(words, terminal);
    EXPECT_TRUE(outcome.code == kDone || outcome.code == kInfeasible) << outcome.err;
  }
  return outcome;
}

}  // namespace sextant::cli::test
