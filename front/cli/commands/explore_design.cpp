// sextant explore design: which configurations to run when all are chosen before the first.
#include <memory>
#include <ostream>

#include "catalog_option.h"
#include "kinds.h"
#include "sextant/ask/design.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/report/design_report.h"

namespace sextant::cli::command_explore_design {
namespace {

struct DesignArgs {
  ask::DesignQuestion question;
  bool aliases = false;
};

int plan(const DesignArgs& args, const Io& io, const Globals& globals) {
  ask::DesignQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const auto [space, design] = ask::plan_design(question, open_catalog(io, globals));
  const report::Result result = report::design_result(
      space, design, args.aliases ? report::DesignAnswer::aliases : report::DesignAnswer::runs);
  if (globals.chosen_format() == Format::csv) {  // a file of rows has no room for them
    for (const std::string& note : result.sections.front().table.notes) tell(io, "sextant: note: " + note);
  }
  write_result(io, globals, result);
  return kDone;
}

std::vector<Option> options_of(DesignArgs& args) {
  ask::DesignQuestion& q = args.question;
  return {{.name = "SPACE",
           .summary = "TOML file with the factors and constraints, or a study",
           .target = &q.space,
           .positional = true,
           .required = true},
          {.name = "design",
           .summary = "which design, with its parameters: 'fractional:runs=8'",
           .target = &q.design,
           .value_name = "DESIGN",
           .names = design_names},
          {.name = "runs",
           .summary = "how many different runs; 0: as many as the design needs",
           .target = &q.runs,
           .value_name = "N",
           .low = 0,
           .high = 1e6},
          {.name = "replicates",
           .summary = "how often each run is made",
           .target = &q.replicates,
           .value_name = "N",
           .low = 1,
           .high = 1e6},
          {.name = "blocks",
           .summary = "groups of runs that are made under one condition: a day, a machine",
           .target = &q.blocks,
           .value_name = "N",
           .low = 1,
           .high = 1e6},
          {.name = "aliases",
           .summary = "show which effects the runs cannot tell apart, instead of the runs",
           .target = &args.aliases}};
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<DesignArgs>();
  return {{.path = "explore design",
           .wish = Wish::find,
           .summary = "plan which configurations to run, in which order",
           .details =
               "Runs are printed in a random order, block by block: make them in that order, so that slow "
               "changes of the machine are not mistaken for an effect of a factor.\n'sextant list designs' "
               "has all designs; --format csv "
               "gives a run sheet.",
           .examples =
               {"sextant explore design space.toml --design fractional:runs=8 --replicates 2 --format csv",
                "sextant explore design space.toml --design fractional:resolution=3 --aliases",
                "sextant explore design space.toml --design d-optimal:model=3 --runs 20"},
           .options = options_of(*args),
           .run = [args](const Io& io, const Globals& globals) { return plan(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_explore_design
