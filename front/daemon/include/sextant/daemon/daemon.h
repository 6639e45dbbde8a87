// The planner of a real cluster as a service: jobs come in by HTTP, decisions are made at every change,
// recorded with their reasons, and carried out once. The state is an SQLite file that survives a kill at any
// moment.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sextant/capacity/snapshot.h"
#include "sextant/catalog/catalog.h"
#include "sextant/http/route.h"
#include "sextant/http/server.h"

namespace sextant::daemon {

struct DaemonOptions {
  std::string state;  // path
  std::string listen = "127.0.0.1:8350";
  std::string token_file = {};     // empty: no token
  std::string method = "sextant";  // capacity::parse_method
  std::string machines =
      {};  // JSON file of machine types and nodes, as PUT /v1/nodes takes it; empty: as known
  std::string cluster = {};  // or a cluster of owned machines, as clusters::parse_cluster takes it
  std::string apply = {};    // "", "slurm", "slurm:cpus", or a command
  bool dry_run = false;      // steps are shown, not carried out
  capacity::Wishes wishes = {};
  std::uint64_t seed = 0;
  http::Limits limits = {};
};

class Daemon {
 public:
  // Answers and decides from now on. `say` gets lines for people, from several threads. InputError at a field
  // or file; SystemError where the state cannot be written or the address not be had.
  Daemon(const DaemonOptions& options, std::shared_ptr<const catalog::Catalog> catalog,
         std::function<void(const std::string&)> say);
  ~Daemon();  // requests and the step in hand are ended, the state is closed
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  [[nodiscard]] http::Address address() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// What the daemon answers, as an OpenAPI file.
Json openapi_document();

}  // namespace sextant::daemon
