#include "sextant/catalog/machine.h"

#include <algorithm>

namespace sextant::catalog {
namespace {

std::optional<DollarRate> lowest(const Machine& machine, std::optional<DollarRate> Price::*field) {
  std::optional<DollarRate> best;
  for (const auto& price : machine.prices) {
    const auto& offered = price.*field;
    if (offered && (!best || *offered < *best)) best = offered;
  }
  return best;
}

}  // namespace

const Price* find_price(const Machine& machine, std::string_view region) {
  const auto it = std::ranges::find(machine.prices, region, &Price::region);
  return it == machine.prices.end() ? nullptr : &*it;
}

std::optional<DollarRate> lowest_on_demand(const Machine& machine) {
  return lowest(machine, &Price::on_demand);
}
std::optional<DollarRate> lowest_spot(const Machine& machine) {
  return lowest(machine, &Price::spot);
}

}  // namespace sextant::catalog
