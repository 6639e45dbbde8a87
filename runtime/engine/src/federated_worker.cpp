#include "federated_worker.h"

#include <nlohmann/json.hpp>

#include "local_models.h"
#include "sextant/core/csv.h"
#include "sextant/engine/executor.h"
#include "sextant/engine/transports.h"
#include "sextant/federated/client_host.h"
#include "sextant/federated/server.h"

namespace sextant::engine {
namespace {

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

}  // namespace

bool is_federation(const measure::RunFolder& folder) {
  return std::filesystem::exists(federated::federation_file(folder));
}

void work_in_federation(const measure::RunFolder& folder, measure::WorkerReport& report) {
  const std::string file = federated::federation_file(folder).string();
  const federated::Federation federation = federated::federation_from_json(read_text_file(file), file);
  measure::LifeSign life(folder, report.rank);
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
  write_spans(folder, report.rank, spans.get(), serves ? "server" : "host " + std::to_string(report.rank));
}

}  // namespace sextant::engine
