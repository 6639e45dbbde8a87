// The daemon's routes: each declares what comes in and goes out, and does it on the ledger.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ledger.h"
#include "planner.h"
#include "sextant/catalog/catalog.h"
#include "sextant/http/metrics.h"
#include "sextant/http/route.h"

namespace sextant::daemon {

// What the routes work on. None of it is touched to declare them: `openapi_document` has nothing.
struct Service {
  Ledger* ledger = nullptr;
  http::Metrics* metrics = nullptr;
  std::function<LastDecision()> last = {};
  std::shared_ptr<const catalog::Catalog> catalog = {};
  capacity::MethodChoice method = {};
  capacity::Wishes wishes = {};
  std::uint64_t seed = 0;
};

std::vector<http::Route> routes_of(const Service& service);
http::ApiInfo api_info();

}  // namespace sextant::daemon
