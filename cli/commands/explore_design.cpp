// sextant explore design: which configurations to run when all are chosen before the first.
#include <memory>
#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "kinds.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/design_report.h"
#include "sextant/study/machine_lookup.h"

namespace sextant {
namespace {

struct DesignArgs {
  std::string file;
  std::string design = "latin-hypercube";
  std::int64_t runs = 0;
  std::int64_t replicates = 1;
  std::int64_t blocks = 1;
  bool aliases = false;
};

// The file may be a whole study, whose other keys are not looked at here.
SearchSpace read_space_of(const std::string& path, const Catalog& catalog) {
  TomlSection root = read_toml_file(path);
  SearchSpace space = read_space(root, catalog_machines(catalog));
  if (!root.has("objective") && !root.has("evaluator")) root.finish();
  return space;
}

int plan(const DesignArgs& args, const Io& io, const Globals& globals) {
  const Catalog catalog = open_catalog(io, globals);
  const SearchSpace space = read_space_of(args.file, catalog);
  const DesignRequest request{.space = space,
                              .runs = static_cast<std::size_t>(args.runs),
                              .replicates = static_cast<std::size_t>(args.replicates),
                              .blocks = static_cast<std::size_t>(args.blocks),
                              .seed = static_cast<std::uint64_t>(globals.seed)};
  const PlannedDesign design = plan_design(args.design, request, {"--design"});
  const Format format = globals.chosen_format();
  if (format == Format::json) {
    write_json(io, globals, to_json(space, design));
    return kDone;
  }
  const Table table = args.aliases ? alias_table(design) : run_sheet(space, design);
  // A file of rows has no room for them.
  for (const std::string& note : format == Format::csv ? table.notes : std::vector<std::string>{}) {
    io.err << "sextant: note: " << note << '\n';
  }
  write_table(io, globals, table);
  return kDone;
}

std::vector<Option> options_of(DesignArgs& args) {
  return {{.name = "SPACE",
           .summary = "TOML file with the factors and constraints, or a study",
           .target = &args.file,
           .positional = true,
           .required = true},
          {.name = "design",
           .summary = "which design, with its parameters: 'fractional:runs=8'",
           .target = &args.design,
           .value_name = "DESIGN",
           .names = design_names},
          {.name = "runs",
           .summary = "how many different runs; 0: as many as the design needs",
           .target = &args.runs,
           .value_name = "N",
           .low = 0,
           .high = 1e6},
          {.name = "replicates",
           .summary = "how often each run is made",
           .target = &args.replicates,
           .value_name = "N",
           .low = 1,
           .high = 1e6},
          {.name = "blocks",
           .summary = "groups of runs that are made under one condition: a day, a machine",
           .target = &args.blocks,
           .value_name = "N",
           .low = 1,
           .high = 1e6},
          {.name = "aliases",
           .summary = "show which effects the runs cannot tell apart, instead of the runs",
           .target = &args.aliases}};
}

}  // namespace

std::vector<Command> command_explore_design() {
  const auto args = std::make_shared<DesignArgs>();
  return {{.path = "explore design",
           .summary = "plan which configurations to run, in which order",
           .details =
               "Runs are printed in a drawn order, block by block: make them in that order, so that what "
               "drifts meanwhile is no factor's fault.\n'sextant list designs' has all designs; --format csv "
               "gives a run sheet.",
           .examples =
               {"sextant explore design space.toml --design fractional:runs=8 --replicates 2 --format csv",
                "sextant explore design space.toml --design fractional:resolution=3 --aliases",
                "sextant explore design space.toml --design d-optimal:model=3 --runs 20"},
           .options = options_of(*args),
           .run = [args](const Io& io, const Globals& globals) { return plan(*args, io, globals); }}};
}

}  // namespace sextant
