#include "sextant/ask/design.h"

#include "sextant/study/machine_lookup.h"

namespace sextant::ask {
namespace {

// The file may be a whole study, whose other keys are not looked at here.
explore::SearchSpace space_in_file(const std::string& path, const catalog::Catalog& catalog) {
  TomlSection root = read_toml_file(path);
  explore::SearchSpace space = read_space(root, study::catalog_machines(catalog));
  if (!root.has("objective") && !root.has("evaluator")) root.finish();
  return space;
}

}  // namespace

DesignAnswer plan_design(const DesignQuestion& question, const catalog::Catalog& catalog) {
  explore::SearchSpace space = space_in_file(question.space, catalog);
  explore::PlannedDesign design =
      explore::plan_design(question.design,
                           {.space = space,
                            .runs = static_cast<std::size_t>(question.runs),
                            .replicates = static_cast<std::size_t>(question.replicates),
                            .blocks = static_cast<std::size_t>(question.blocks),
                            .seed = question.seed},
                           at_field("design"));
  return {std::move(space), std::move(design)};
}

}  // namespace sextant::ask
