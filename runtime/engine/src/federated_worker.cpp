#include "federated_worker.h"

#include <nlohmann/json.hpp>

#include "local_models.h"
#include "sextant/core/csv.h"
#include "sextant/engine/executor.h"
#include "sextant/engine/transports.h"
#include "sextant/federated/client_host.h"
#include "sextant/federated/one_process.h"
#include "sextant/federated/server.h"

namespace sextant::engine {
namespace {

std::string name_of_rank(const federated::Federation& federation, std::int64_t rank) {
  return rank == federation.hosts ? "server" : "host " + std::to_string(rank);
}

std::unique_ptr<measure::SpanRecorder> federated_recorder(const federated::Federation& federation,
                                                          std::int64_t rank) {
  if (!federation.spans) return nullptr;
  return std::make_unique<measure::SpanRecorder>(spans::parse_traceparent(federation.traceparent), rank,
                                                 federation.hosts);
}

void write_spans(const measure::RunFolder& folder, std::int64_t rank, const measure::SpanRecorder* spans,
                 const std::string& name) {
  if (spans == nullptr) return;
  measure::write_file_atomically(folder.spans_file(rank), to_perfetto(spans->finish(name)).dump());
}

// All threads' spans are this process's, which has one file for them.
class ThreadSpans {
 public:
  explicit ThreadSpans(const federated::Federation& federation) : federation_(federation) {
    for (std::int64_t rank = 0; rank <= federation.hosts; ++rank)
      recorders_.push_back(federated_recorder(federation, rank));
  }
  [[nodiscard]] measure::SpanRecorder* of(std::int64_t rank) const {
    return recorders_[static_cast<std::size_t>(rank)].get();
  }
  void write(const measure::RunFolder& folder) const {
    if (!federation_.spans) return;
    spans::SpanSet all{.trace = spans::parse_traceparent(federation_.traceparent).trace,
                       .processes = {{0, "server and clients"}}};
    for (std::int64_t rank = 0; rank <= federation_.hosts; ++rank) {
      all.threads[{0, rank}] = name_of_rank(federation_, rank);
      spans::SpanSet own = of(rank)->finish(name_of_rank(federation_, rank));
      for (spans::Span& span : own.spans) {
        span.process = 0;
        span.thread = rank;
        all.spans.push_back(std::move(span));
      }
    }
    measure::write_file_atomically(folder.spans_file(0), to_perfetto(all).dump());
  }

 private:
  const federated::Federation& federation_;
  std::vector<std::unique_ptr<measure::SpanRecorder>> recorders_;
};

void work_alone(const federated::Federation& federation, const measure::RunFolder& folder,
                measure::LifeSign& life) {
  const nets::Graph graph = build(nets::find_network(federation.net, at_field("net")), federation.sizes);
  const federated::FederatedData data = open_data(federation, graph);
  const federated::Samples test = read_test_samples(federation, graph);
  const ThreadSpans spans(federation);
  federated::run_in_one_process({.federation = federation,
                                 .data = data,
                                 .test = test,
                                 .make_model = [&] { return local_model(graph, federation); },
                                 .state = federated::state_of(folder),
                                 .spans = [&](std::int64_t rank) { return spans.of(rank); },
                                 .beat = [&] { life.beat(); },
                                 .finished = [&](std::int64_t round) { life.finished(round); }});
  spans.write(folder);
}

}  // namespace

bool is_federation(const measure::RunFolder& folder) {
  return std::filesystem::exists(federated::federation_file(folder));
}

void work_in_federation(const measure::RunFolder& folder, measure::WorkerReport& report) {
  const std::string file = federated::federation_file(folder).string();
  const federated::Federation federation = federated::federation_from_json(read_text_file(file), file);
  measure::LifeSign life(folder, report.rank);
  if (is_one_process(federation)) {
    report.role = "server and clients";
    report.versions = engine_versions();
    return work_alone(federation, folder, life);
  }
  const bool serves = report.rank == federation.hosts;
  report.role = serves ? "server" : "worker";
  report.versions = engine_versions();
  const nets::Graph graph = build(nets::find_network(federation.net, at_field("net")), federation.sizes);
  const auto model = local_model(graph, federation);
  const federated::FederatedData data = open_data(federation, graph);
  life.beat();
  const measure::Trial trial = processes_of(federation);
  const auto transport = join({.trial = trial, .folder = folder, .rank = report.rank});
  life.beat();
  const auto spans = federated_recorder(federation, report.rank);
  const auto beat = [&] { life.beat(); };
  const auto finished = [&](std::int64_t round) { life.finished(round); };
  if (serves) {
    const federated::Samples test = read_test_samples(federation, graph);
    federated::run_server({.federation = federation,
                           .data = data,
                           .test = test,
                           .transport = *transport,
                           .model = *model,
                           .state = federated::state_of(folder),
                           .spans = spans.get(),
                           .beat = beat,
                           .finished = finished});
  } else {
    federated::run_host({.federation = federation,
                         .data = data,
                         .rank = report.rank,
                         .transport = *transport,
                         .model = *model,
                         .spans = spans.get(),
                         .beat = beat,
                         .finished = finished});
  }
  report.bytes = transport->bytes();
  write_spans(folder, report.rank, spans.get(), name_of_rank(federation, report.rank));
}

}  // namespace sextant::engine
