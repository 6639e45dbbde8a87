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
       .summary = "formats of the files, compared with the first",
       .target = &q.formats,
       .value_name = "LIST",
       .choices = {"images", "images-png", "images-ppm", "records", "records-zlib"}},
      {.name = "batch", .summary = "samples in a batch", .target = &q.batch, .value_name = "LIST", .low = 1},
      {.name = "batches",
       .summary = "batches read in a row",
       .target = &q.batches,
       .value_name = "LIST",
       .low = 1},
      {.name = "samples",
       .summary = "samples in the data set",
       .target = &q.samples,
       .value_name = "LIST",
       .low = 1},
      {.name = "prefetch",
       .summary = "batches read ahead",
       .target = &q.prefetch,
       .value_name = "LIST",
       .low = 0},
      {.name = "cache",
       .summary = "1 keeps decoded samples in memory, 0 decodes them every time",
       .target = &q.cache,
       .value_name = "LIST",
       .low = 0,
       .high = 1},
      {.name = "repetitions",
       .summary = "how often each combination is measured",
       .target = &q.repetitions,
       .value_name = "N",
       .low = 1},
      {.name = "image",
       .summary = "height and width of the images, in pixels",
       .target = &q.image,
       .value_name = "N",
       .low = 1},
      {.name = "data",
       .summary = "what the files are made of: synthetic, fashion-mnist, or a folder of images",
       .target = &q.data,
       .value_name = "WHAT"},
      {.name = "scratch",
       .summary = "folder for the files, which are removed at the end",
       .target = &q.scratch,
       .value_name = "DIR"},
      {.name = "budget",
       .summary = "the longest time that it may take",
       .target = &q.budget,
       .value_name = "TIME"}};
}

int run_input(ask::MeasureInputQuestion question, const Io& io, const Globals& globals) {
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const auto [report, warnings] = ask::measure_input(question, *told_progress_on(io));
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
      .summary = "say how fast training data can be read here, and whether training waits for them",
      .details =
          "Every combination of the lists is read, in a random order, and a line is fitted for each factor. "
          "The "
          "first sentences of the answer say which training steps would wait for their input, and what to "
          "change.",
      .examples = {"sextant measure input --formats images,records --batch 16,64 --prefetch 0,4"},
      .options = input_options(*question),
      .run = [question](const Io& io, const Globals& globals) { return run_input(*question, io, globals); }};
}

}  // namespace sextant::cli
