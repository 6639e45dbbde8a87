#include "input_args.h"

#include <memory>

#include "progress.h"
#include "sextant/ask/measure_input.h"
#include "sextant/cli/run.h"
#include "sextant/report/input_report.h"

namespace sextant::cli {
namespace {

std::vector<Option> input_options(ask::MeasureInputQuestion& q) {
  return {
      {.name = "formats",
       .summary = "files that are read",
       .target = &q.formats,
       .value_name = "LIST",
       .choices = {"images", "images-png", "images-ppm", "records", "records-zlib"}},
      {.name = "batch", .summary = "samples of a batch", .target = &q.batch, .value_name = "LIST", .low = 1},
      {.name = "batches",
       .summary = "batches read in a row",
       .target = &q.batches,
       .value_name = "LIST",
       .low = 1},
      {.name = "samples",
       .summary = "samples of the data set",
       .target = &q.samples,
       .value_name = "LIST",
       .low = 1},
      {.name = "prefetch",
       .summary = "batches read ahead",
       .target = &q.prefetch,
       .value_name = "LIST",
       .low = 0},
      {.name = "cache",
       .summary = "1: decoded samples are kept",
       .target = &q.cache,
       .value_name = "LIST",
       .low = 0,
       .high = 1},
      {.name = "repetitions",
       .summary = "of each point",
       .target = &q.repetitions,
       .value_name = "N",
       .low = 1},
      {.name = "image",
       .summary = "height and width of the images",
       .target = &q.image,
       .value_name = "N",
       .low = 1},
      {.name = "data",
       .summary = "what fills the files: synthetic, or a folder of images",
       .target = &q.data,
       .value_name = "WHAT"},
      {.name = "scratch", .summary = "folder for the files", .target = &q.scratch, .value_name = "DIR"},
      {.name = "budget", .summary = "at most so much time", .target = &q.budget, .value_name = "TIME"}};
}

int run_input(ask::MeasureInputQuestion question, const Io& io, const Globals& globals) {
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const auto [report, warnings] = ask::measure_input(question, *progress_on(io));
  for (const std::string& warning : warnings) warn(io, warning);
  write_result(io, globals, report::input_result(report));
  return kDone;
}

}  // namespace

Command command_measure_input() {
  const auto question = std::make_shared<ask::MeasureInputQuestion>();
  return {
      .path = "measure input",
      .wish = Wish::measure,
      .summary = "how fast training data can be read here, and what it depends on",
      .details =
          "Reads every combination of the lists, repetitions in a drawn order, and fits a line for each "
          "factor.",
      .examples = {"sextant measure input --formats images,records --batch 16,64 --prefetch 0,4"},
      .options = input_options(*question),
      .run = [question](const Io& io, const Globals& globals) { return run_input(*question, io, globals); }};
}

}  // namespace sextant::cli
