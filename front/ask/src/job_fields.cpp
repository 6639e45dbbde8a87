#include "sextant/ask/job_fields.h"

#include <algorithm>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/predict/case_file.h"
#include "sextant/predict/run_export.h"

namespace sextant::ask {
namespace {

// A list, or one place for "nothing was said".
template <class Item>
std::vector<std::optional<Item>> or_nothing(const std::vector<Item>& items) {
  std::vector<std::optional<Item>> all(items.begin(), items.end());
  if (all.empty()) all.emplace_back();
  return all;
}

std::vector<jobs::Placement> placements_of(const LayoutFields& fields, const catalog::Machine* machine) {
  jobs::PlacementRequest request;
  if (machine != nullptr) {
    request.per_node = std::max<std::int64_t>(1, static_cast<std::int64_t>(machine->gpu_count));
    request.on_each_node = request.per_node;
  }
  std::vector<jobs::Placement> all;
  for (const auto& count : or_nothing(fields.counts)) {
    for (const auto& nodes : or_nothing(fields.nodes)) {
      for (const auto& text : or_nothing(fields.placements)) {
        request.count = count;
        request.nodes = nodes;
        request.placement =
            text ? std::optional(jobs::parse_placement(*text, at_field("placement"))) : std::nullopt;
        all.push_back(place(request));
      }
    }
  }
  return all;
}

void check_machine_holds(const jobs::Placement& placement, const catalog::Machine& machine) {
  const auto has = static_cast<std::int64_t>(machine.gpu_count);
  if (placement.fullest() <= has) return;
  throw InputError(at_field("placement"), std::to_string(placement.fullest()) + " GPUs on a node, but " +
                                              machine.id + " has " + std::to_string(has));
}

// Without a text a predictor would take what ships, and nobody would notice.
std::string model_text(const std::string& path) {
  std::string text = read_text_file(path);
  const std::string_view begins = trim(text);
  if (!begins.empty() && begins.front() != '{') {
    throw InputError({path, 1, 1}, "this is not a model, which is JSON",
                     "'sextant fit' writes one; timed steps are given by `measured`");
  }
  if (!begins.empty()) return text;
  throw InputError({path, 1, 1}, "the file is empty: it holds no model",
                   "'sextant fit' writes one; without `model` the coefficients that ship are used");
}

// Of the timings: what the file leaves open and the question decides, since a number format that is taken for
// another shifts every answer. Nothing where each row says it all.
std::optional<std::string> taken_from_question(const CsvTable& timed, const jobs::Job& usual) {
  const auto silent = [&](const char* name) {
    const auto column = timed.find_column(name);
    if (!column) return true;
    for (std::size_t row = 0; row < timed.rows(); ++row)
      if (trim(timed.text(row, *column)).empty()) return true;
    return false;
  };
  std::vector<std::string> taken;
  if (silent("batch")) taken.push_back("batch " + std::to_string(usual.sizes.batch));
  if (silent("precision")) taken.push_back("precision " + to_string(usual.precision));
  if (silent("stack")) taken.push_back("stack " + usual.stack);
  if (taken.empty()) return std::nullopt;
  return "what " + timed.file_name() +
         " does not say of its steps is taken from the question: " + join(taken, ", ");
}

}  // namespace

jobs::Job job_of(const JobFields& fields, std::int64_t batch) {
  return {.net = fields.net.name,
          .sizes = fields.net.binding(batch),
          .mode = jobs::parse_mode(fields.mode, at_field("mode")),
          .precision = parse_precision(fields.precision.value_or("fp32"), at_field("precision")),
          .optimizer = jobs::parse_optimizer(fields.optimizer, at_field("optimizer")),
          .stack = fields.stack,
          .layout = {}};
}

std::optional<jobs::Duration> duration_of(const std::optional<std::int64_t>& samples,
                                          const std::optional<double>& epochs) {
  if (samples) return jobs::Duration{epochs.value_or(1), *samples};
  if (epochs) throw InputError(at_field("epochs"), "`epochs` needs `samples`, the size of the data set");
  return std::nullopt;
}

std::unique_ptr<predict::Predictor> make_predictor(const ModelFields& fields, const jobs::Job& usual,
                                                   const catalog::Catalog& catalog, Remarks* remarks) {
  const predict::PredictorInfo& info = predict::predictors().get(fields.predictor, at_field("predictor"));
  predict::Setup setup{.catalog = &catalog};
  if (fields.from) setup.from = find_gpu(catalog, *fields.from, at_field("from")).id;
  if (!fields.measured && !fields.map.empty())
    throw InputError(at_field("map"), "`map` names columns of `measured`, which is missing");
  if (fields.measured) {
    std::vector<std::string> said;
    const CsvTable timed = predict::as_measured(CsvTable::read_file(*fields.measured), fields.map, said);
    setup.measured = read_measured(
        timed, catalog, predict::CaseDefaults{.gpu = setup.from, .job = usual, .gpu_field = "from"});
    if (remarks != nullptr) {
      remarks->notes = std::move(said);
      if (auto taken = taken_from_question(timed, usual)) remarks->notes.push_back(std::move(*taken));
      setup.notes = &remarks->warnings;
    }
  }
  if (fields.model) {
    setup.model = model_text(*fields.model);
    setup.model_file = *fields.model;
  }
  return info.make(setup);
}

std::vector<jobs::Layout> layouts_of(const LayoutFields& fields, const catalog::Machine* machine) {
  std::vector<jobs::Layout> all;
  for (const jobs::Placement& placement : placements_of(fields, machine)) {
    if (machine != nullptr) check_machine_holds(placement, *machine);
    for (const std::string& strategy : fields.strategies) {
      all.push_back({.placement = placement,
                     .strategy = strategy,
                     .machine = machine == nullptr ? "" : machine->id,
                     .link = fields.link.value_or("")});
      if (placement.total() == 1) break;  // one device has no strategy
    }
  }
  return all;
}

}  // namespace sextant::ask
