// sextant collective: what all-reduce and similar operations cost on a system, a machine type or plain links.
#include <memory>
#include <string_view>

#include "case_io.h"
#include "catalog_option.h"
#include "collective_args.h"
#include "field_words.h"
#include "sextant/cli/run.h"
#include "sextant/report/collective_report.h"

namespace sextant::cli::command_collective {
namespace {

// A CSV of questions in, the same with answers out.
int collective_cases(const CollectiveArgs& args, const Io& io, const Globals& globals) {
  const catalog::Catalog catalog = open_catalog(io, globals);
  const CsvTable cases = read_cases(*args.cases);
  CaseOutput out(args.out, io);
  auto answers = ask::collective_cases(args.question, cases, catalog);
  for (auto& answer : answers) answer.error = said(io, std::move(answer.error));
  out.write(io, globals, report::collective_case_answers(cases, answers));
  std::vector<std::string_view> errors;
  for (const auto& answer : answers) errors.emplace_back(answer.error);
  summarize_cases(io, cases.file_name(), errors);
  return kDone;
}

int collective(const CollectiveArgs& args, const Io& io, const Globals& globals) {
  if (args.cases) return collective_cases(args, io, globals);
  if (args.out) throw InputError({"--out"}, "only the answers to --cases can be written to a file");
  const ask::CollectiveTimes times = ask::collective_times(args.question, open_catalog(io, globals));
  for (const std::string& warning : times.warnings) warn(io, warning);
  write_result(io, globals, report::collective_result(times));
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<CollectiveArgs>();
  return {
      {.path = "collective",
       .wish = Wish::plan,
       .summary = "what all-reduce and similar operations take on a system, a machine type or plain links",
       .details = "Times come from a model that was calibrated on timed collectives of NCCL; see "
                  "docs/models/collectives.md. The interval is wider for systems that were never timed.",
       .examples = {"sextant collective --system a100-dgx --op all-reduce --gpus 2,4,8 --nodes 1,2 "
                    "--bytes 1MiB,64MiB",
                    "sextant collective --machine aws/p4d.24xlarge --count 1,2,4 --bytes 100MB",
                    "sextant collective --cases cases.csv --out answers.csv"},
       .options = collective_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return collective(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_collective
