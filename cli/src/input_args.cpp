#include "input_args.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/input_report.h"

namespace sextant {
namespace {

struct InputArgs {
  InputDesign design;
  std::int64_t image = 64;
  std::optional<std::string> scratch;
  std::string budget = "5min";
};

std::vector<Option> input_options(InputArgs& a) {
  InputDesign& d = a.design;
  return {{.name = "formats",
           .summary = "files that are read",
           .target = &d.formats,
           .value_name = "LIST",
           .choices = {"images", "images-png", "images-ppm", "records", "records-zlib"}},
          {.name = "batch",
           .summary = "samples of a batch",
           .target = &d.batches,
           .value_name = "LIST",
           .low = 1},
          {.name = "batches",
           .summary = "batches read in a row",
           .target = &d.batch_counts,
           .value_name = "LIST",
           .low = 1},
          {.name = "samples",
           .summary = "samples of the data set",
           .target = &d.samples,
           .value_name = "LIST",
           .low = 1},
          {.name = "prefetch",
           .summary = "batches read ahead",
           .target = &d.prefetch,
           .value_name = "LIST",
           .low = 0},
          {.name = "cache",
           .summary = "1: decoded samples are kept",
           .target = &d.cache,
           .value_name = "LIST",
           .low = 0,
           .high = 1},
          {.name = "repetitions",
           .summary = "of each point",
           .target = &d.repetitions,
           .value_name = "N",
           .low = 1},
          {.name = "image",
           .summary = "height and width of the images",
           .target = &a.image,
           .value_name = "N",
           .low = 1},
          {.name = "data",
           .summary = "what fills the files: synthetic, or a folder of images",
           .target = &d.data,
           .value_name = "WHAT"},
          {.name = "scratch", .summary = "folder for the files", .target = &a.scratch, .value_name = "DIR"},
          {.name = "budget", .summary = "at most so much time", .target = &a.budget, .value_name = "TIME"}};
}

int run_input(const InputArgs& args, const Io& io, const Globals& globals) {
  InputDesign design = args.design;
  design.shape = {3, args.image, args.image};
  design.scratch =
      args.scratch ? std::filesystem::path(*args.scratch) : std::filesystem::temp_directory_path();
  design.budget_s = parse_seconds(args.budget, {"--budget"}).value;
  design.seed = static_cast<std::uint64_t>(globals.seed);
  const InputReport report = measure_input(design, *progress_on(io));
  if (!report.complete) warn(io, "the budget ended before all repetitions were made");
  if (globals.chosen_format() == Format::json) {
    write_json(io, globals, input_json(report));
    return kDone;
  }
  write_table(io, globals, input_points_table(report));
  if (globals.chosen_format() == Format::csv) return kDone;  // one table, as scripts expect
  for (const Table& table : {input_lines_table(report), input_ratios_table(report)}) {
    io.out << '\n';
    write_table(io, globals, table);
  }
  return kDone;
}

}  // namespace

Command command_measure_input() {
  const auto args = std::make_shared<InputArgs>();
  return {.path = "measure input",
          .summary = "how fast training data can be read here, and what it depends on",
          .details =
              "Reads every combination of the lists, repetitions in a drawn order, and fits a line for each "
              "factor.",
          .examples = {"sextant measure input --formats images,records --batch 16,64 --prefetch 0,4"},
          .options = input_options(*args),
          .run = [args](const Io& io, const Globals& globals) { return run_input(*args, io, globals); }};
}

}  // namespace sextant
