// sextant advise: which machines, how many, which strategy for one training job.
#include "sextant/plan/advise.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "kinds.h"
#include "output_file.h"
#include "plan_args.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/advice_report.h"
#include "sextant/report/svg_front.h"

namespace sextant {
namespace {

struct AdviseArgs {
  PlanArgs plan;
  std::vector<std::string> machines = {"all"};
  std::vector<std::int64_t> counts = Market{}.counts;
  std::optional<std::string> budget;
  std::optional<std::string> by;
  std::optional<std::string> plot;
  std::int64_t top = 10;
  bool safe = false;
};

Dollars parse_budget(const std::string& text) {
  if (const auto plain = to_number(text)) {
    if (*plain > 0) return Dollars{*plain};
    throw InputError({"--budget"}, "'" + text + "' buys nothing", "an amount above 0, as in 250");
  }
  return parse_dollars(text, {"--budget"});
}

Wishes wishes_of(const AdviseArgs& args) {
  Wishes wishes;
  if (args.plan.deadline) wishes.deadline = parse_deadline(*args.plan.deadline, {"--deadline"});
  if (args.budget) wishes.budget = parse_budget(*args.budget);
  // Who sets a budget and no deadline wants the most for the money.
  const bool time = args.by ? *args.by == "time" : wishes.budget && !wishes.deadline;
  wishes.by = time ? RankBy::time : RankBy::cost;
  wishes.safe = args.safe;
  return wishes;
}

Market market_for(const AdviseArgs& args, const Catalog& catalog) {
  Market market = market_of(args.plan, catalog);
  market.counts = args.counts;
  if (args.machines == std::vector<std::string>{"all"}) return market;
  for (const auto& name : args.machines)
    market.machines.push_back(catalog.machines.get(name, {"--machine"}).id);
  return market;
}

FrontPlot plot_of(const Advice& advice, const std::string& net) {
  FrontPlot plot{.title = net + ": time and cost of " + std::to_string(advice.ranked.size()) + " offers",
                 .points = {}};
  for (const auto& r : advice.ranked) {
    const std::string label = name_of(r.offer) + ": " + human(r.offer.time) + ", " + human(r.offer.cost);
    plot.points.push_back({r.offer.time / kHour, r.offer.cost.value, r.on_front, label});
  }
  return plot;
}

struct Answered {
  Offers offers;
  Advice advice;
  std::vector<StrategyVerdict> strategies;  // on the machines of the first offer
};

Answered answer(const AdviseArgs& args, const Wishes& wishes, const Catalog& catalog, const Io& io) {
  const Network network = find_network(args.plan.job.network.net, {"NET"});
  const auto predictor = make_predictor(args.plan.job, catalog);
  const Training training = training_of(args.plan, catalog, network, *predictor);
  const Market market = market_for(args, catalog);
  Answered a{find_offers(training, market, *progress_on(io)), {}, {}};
  const auto unbounded = [](const Offer& offer) { return !offer.step.interval.high.has_value(); };
  if (wishes.safe && std::ranges::any_of(a.offers.list, unbounded)) {
    throw InputError({"--safe"}, "the predictor bounds times from below only: there is no upper end to judge",
                     "leave it out, or ask another predictor");
  }
  a.advice = advise(a.offers, wishes);
  if (!a.advice.tightest) a.strategies = compare_strategies(training, market, a.advice.ranked.front().offer);
  return a;
}

void write_answer(const AdviseArgs& args, const Io& io, const Globals& globals, const Answered& a) {
  if (globals.chosen_format() == Format::json) {
    Json json = to_json(a.advice, a.offers);
    json["strategies"] = to_json(a.strategies);
    write_json(io, globals, std::move(json));
  } else if (a.advice.tightest) {
    warn(io, "nothing fits: " + a.advice.tightest->constraint +
                 " is the tightest constraint; nearest: " + a.advice.tightest->sentence);
  } else {
    Table table = advice_table(a.advice, static_cast<std::size_t>(args.top));
    if (!a.strategies.empty()) {
      table.notes.push_back("Strategies on the first: " + strategies_text(a.strategies) + ".");
    }
    write_table(io, globals, table);
  }
  const std::string refused = refusals_text(a.offers.refusals);
  if (!refused.empty()) warn(io, "not offered: " + refused);
}

int run_advise(const AdviseArgs& args, const Io& io, const Globals& globals) {
  const Wishes wishes = wishes_of(args);
  std::optional<OutputFile> picture;
  if (args.plot) picture.emplace(*args.plot);
  const Catalog catalog = open_catalog(io, globals);
  const Answered a = answer(args, wishes, catalog, io);
  write_answer(args, io, globals, a);
  if (a.advice.tightest) return kInfeasible;
  if (picture) {
    picture->stream() << to_svg(plot_of(a.advice, args.plan.job.network.net));
    picture->commit();
  }
  return kDone;
}

std::vector<Option> advise_options(AdviseArgs& a) {
  std::vector<Option> options = plan_options(a.plan);
  const std::vector<Option> own = {
      {.name = "samples",
       .summary = "samples in the data set",
       .target = &a.plan.job.samples,
       .value_name = "N",
       .required = true,
       .low = 1,
       .high = 1e12},
      {.name = "epochs",
       .summary = "passes over the data set",
       .target = &a.plan.job.epochs,
       .value_name = "E",
       .low = 1e-6,
       .high = 1e6},
      {.name = "budget",
       .summary = "dollars for the whole job, as in 250 or '250 USD'",
       .target = &a.budget,
       .value_name = "B"},
      {.name = "safe",
       .summary = "the upper end of the 90 % interval has to keep deadline and budget",
       .target = &a.safe},
      {.name = "by",
       .summary = "rank by cost, or by time (with a budget and no deadline)",
       .target = &a.by,
       .value_name = "WHAT",
       .choices = {"cost", "time"}},
      {.name = "machine",
       .summary = "machine types to choose from, or 'all'",
       .target = &a.machines,
       .value_name = "LIST",
       .names = machine_names},
      {.name = "count",
       .summary = "numbers of machines of one type to look at",
       .target = &a.counts,
       .value_name = "LIST",
       .low = 1,
       .high = 10'000},
      {.name = "top",
       .summary = "so many offers, besides the Pareto front; 0 for all",
       .target = &a.top,
       .value_name = "N",
       .low = 0},
      {.name = "plot",
       .summary = "time and cost of the offers as a picture",
       .target = &a.plot,
       .value_name = "FILE.svg"}};
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

}  // namespace

std::vector<Command> command_advise() {
  const auto args = std::make_shared<AdviseArgs>();
  return {{.path = "advise",
           .summary = "which machines, how many and which strategy for a training job",
           .details =
               "Looks at machine types x numbers of machines x parallel strategies, drops what does not "
               "fit, ranks the rest by\ncost or time, marks the Pareto front and says why the first is "
               "the first. Exit code 3 with the tightest constraint\nif nothing fits.",
           .examples = {"sextant advise resnet50 --epochs 90 --samples 1281167 --deadline '24 h'",
                        "sextant advise bert-large --samples 88000 --epochs 3 --budget 100 --spot",
                        "sextant advise vgg16 --samples 1281167 --epochs 74 --plot front.svg"},
           .options = advise_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return run_advise(*args, io, globals); }}};
}

}  // namespace sextant
