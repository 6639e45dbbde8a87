// Bodies that say which machine types and nodes there are.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "api.h"
#include "sextant/core/error.h"
#include "sextant/http/route.h"

using namespace sextant;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  static const http::Schema schema = daemon::nodes_order_schema();
  try {
    const Json body = http::checked_body(schema, std::string(reinterpret_cast<const char*>(data), size));
    (void)daemon::read_nodes_order(body, catalog);
  } catch (const http::Refusal&) {
  } catch (const InputError&) {
  }
  return 0;
}
