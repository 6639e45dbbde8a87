// Bodies of submissions: whatever comes is a job or a refusal.
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "api.h"
#include "books_json.h"
#include "sextant/core/error.h"
#include "sextant/http/route.h"

using namespace sextant;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  static const http::Schema schema = daemon::job_order_schema();
  static const std::map<std::string, capacity::MachineType> machines = {
      {"small", {.name = "small", .gpu = "v100", .gpus = 2}},
      {"large", {.name = "large", .gpu = "", .gpus = 4}}};
  static const std::vector<daemon::DaemonNode> nodes = {{.name = "n0"}, {.name = "n1", .only = "small"}};
  try {
    const Json body = http::checked_body(schema, std::string(reinterpret_cast<const char*>(data), size));
    const daemon::JobOrder order = daemon::read_job_order(body, {machines, nodes, catalog, Seconds{1e9}});
    // What is kept is read back as it was.
    const Json kept = daemon::order_json(order);
    if (daemon::order_json(daemon::order_of(kept)) != kept) __builtin_trap();
  } catch (const http::Refusal&) {
  } catch (const InputError&) {
  }
  return 0;
}
