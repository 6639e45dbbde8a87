#include "sextant/daemon/daemon.h"

#include <atomic>
#include <nlohmann/json.hpp>

#include "carrier.h"
#include "plan_answer.h"
#include "planner.h"
#include "routes.h"
#include "sextant/clusters/cluster.h"
#include "sextant/core/error.h"
#include "state_lock.h"

namespace sextant::daemon {
namespace {

// Owned machines: a node each, of the one type that it is.
NodesOrder nodes_of_cluster(const std::string& text, const catalog::Catalog& catalog) {
  NodesOrder order;
  for (const clusters::Pool& pool : clusters::parse_cluster(text, catalog, at_field("cluster")).pools) {
    const auto gpus = static_cast<double>(pool.per_node);
    order.machines[pool.type] = {.name = pool.type,
                                 .gpu = pool.type,
                                 .gpus = static_cast<std::int32_t>(pool.per_node),
                                 .hour_price = gpus * pool.hour_price,
                                 .idle = gpus * pool.idle,
                                 .busy = Watts{std::max(0.0, (pool.power - pool.idle).value)}};
    for (std::int64_t i = 0; i < pool.nodes(); ++i) {
      order.nodes.push_back({.name = pool.type + "-" + std::to_string(i), .only = pool.type});
    }
  }
  return order;
}

std::optional<NodesOrder> asked_nodes(const DaemonOptions& options, const catalog::Catalog& catalog) {
  if (!options.machines.empty() && !options.cluster.empty())
    throw InputError(at_field("cluster"), "machines are said twice", "leave out `cluster` or `machines`");
  if (!options.cluster.empty()) return nodes_of_cluster(options.cluster, catalog);
  if (options.machines.empty()) return {};
  const Json body = read_json_file(options.machines);
  if (const auto fault = http::fault_of(nodes_order_schema(), body))
    throw InputError({options.machines}, (fault->place.empty() ? "" : fault->place + ": ") + fault->what,
                     fault->hint);
  try {
    return read_nodes_order(body, catalog);
  } catch (const InputError& error) {
    throw InputError({options.machines}, error.where().file + ": " + error.message(), error.hint());
  }
}

}  // namespace

class Daemon::Impl {
 public:
  Impl(const DaemonOptions& options, std::shared_ptr<const catalog::Catalog> catalog,
       const std::function<void(const std::string&)>& say)
      : choice_(capacity::parse_method(options.method, at_field("method"))),
        listen_(http::parse_address(options.listen, at_field("listen"))),
        token_(options.token_file.empty() ? "" : http::read_token(options.token_file)),
        nodes_(asked_nodes(options, *catalog)),
        lock_(options.state),
        ledger_(options.state, wall_clock),
        executor_(make_executor({.apply = options.apply,
                                 .state = options.state,
                                 .abandoned = [this] { return ending_.load(); },
                                 .lock = lock_.commands()})) {
    declare_plan_metrics(metrics_);
    begin();
    if (!options.apply.empty() && token_.empty())
      say("warning: anybody on this machine can have commands carried out; a token would prevent that");
    // The address first: whoever cannot have it must not have carried anything out.
    const Service service{
        &ledger_,           &metrics_, [this] { return planning_ ? planner_->last() : LastDecision{}; },
        std::move(catalog), choice_,   options.wishes,
        options.seed};
    server_.emplace(routes_of(service), http::ServerOptions{listen_, token_, options.limits}, metrics_);
    carrier_.emplace(CarrierSetup{ledger_, *executor_, metrics_, options.dry_run, say});
    planner_.emplace(PlannerSetup{ledger_, metrics_, choice_, options.wishes, options.seed, say});
    planning_ = true;
  }

  ~Impl() {
    ending_ = true;
    server_.reset();  // requests first, so that nobody is left without an answer
    planner_.reset();
    carrier_.reset();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] http::Address address() const { return server_->address(); }

 private:
  void begin() {
    try {
      ledger_.change([&](Page& page) {
        page.note("begun", "the daemon is there, with " + std::to_string(page.books.jobs.size()) +
                               " jobs and " + std::to_string(page.books.steps.size()) + " open steps");
        if (nodes_ && !same_nodes(page.books, *nodes_)) replace_nodes(page, *nodes_);
      });
    } catch (const http::Refusal& refusal) {
      throw InputError(at_field("machines"), refusal.what(), refusal.hint());
    }
  }

  capacity::MethodChoice choice_;
  http::Address listen_;
  std::string token_;
  std::optional<NodesOrder> nodes_;
  std::atomic<bool> ending_ = false;
  StateLock lock_;
  http::Metrics metrics_;
  Ledger ledger_;
  std::unique_ptr<Executor> executor_;
  std::optional<Carrier> carrier_;
  std::optional<Planner> planner_;
  std::atomic<bool> planning_ = false;  // there is a planner
  std::optional<http::Server> server_;
};

Daemon::Daemon(const DaemonOptions& options, std::shared_ptr<const catalog::Catalog> catalog,
               std::function<void(const std::string&)> say)
    : impl_(std::make_unique<Impl>(
          options, std::move(catalog), say ? std::move(say) : [](const std::string&) {})) {}
Daemon::~Daemon() = default;

http::Address Daemon::address() const {
  return impl_->address();
}

}  // namespace sextant::daemon
