// sextant describe KIND NAME: all that is known of one thing, with its source.
#include <algorithm>
#include <memory>

#include "catalog_option.h"
#include "kinds.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"

namespace sextant::cli::command_describe {
namespace {

struct DescribeArgs {
  std::string kind;
  std::string name;
};

// People write the name alone, and then it is the kind that is missing.
void refuse_one_word(const DescribeArgs& args) {
  if (!args.name.empty()) return;
  const std::vector<Kind>& known = kinds();
  const bool kind = std::ranges::any_of(
      known, [&](const Kind& k) { return args.kind == k.singular || args.kind == k.plural; });
  if (kind)
    throw InputError({"NAME"}, "which " + args.kind + "?",
                     "'sextant list " + find_kind(args.kind).plural + "' names them");
  throw InputError({"KIND"}, "what kind of thing is '" + args.kind + "'?",
                   "such as 'sextant describe gpu " + args.kind + "'; 'sextant list' names the kinds");
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<DescribeArgs>();
  return {{.path = "describe",
           .wish = Wish::look_up,
           .summary = "all that is known of one GPU, machine, network or predictor",
           .details = "",
           .examples = {"sextant describe gpu v100", "sextant describe machine p3.2xlarge"},
           .options = {{.name = "KIND",
                        .summary = "gpu, cpu, link, machine, net or predictor",
                        .target = &args->kind,
                        .positional = true,
                        .required = true,
                        .names = kind_names},
                       {.name = "NAME",
                        .summary = "its id or one of its aliases",
                        .target = &args->name,
                        .positional = true}},
           .run = [args](const Io& io, const Globals& globals) {
             refuse_one_word(*args);
             const Kind& kind = find_kind(args->kind);
             write_result(io, globals, kind.describe(open_catalog(io, globals), args->name));
             return kDone;
           }}};
}

}  // namespace sextant::cli::command_describe
