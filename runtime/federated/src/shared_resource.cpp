#include "shared_resource.h"

#include <algorithm>
#include <limits>

namespace sextant::federated {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;  // of a rate

}  // namespace

double SharedResource::fair_rate() const {
  if (shared_ends_.empty()) return kNever;
  return std::max(capacity_ - own_sum_, 0.0) / static_cast<double>(shared_ends_.size());
}

void SharedResource::pass(double now) {
  if (!shared_ends_.empty()) level_ += fair_rate() * (now - now_);
  now_ = now;
}

void SharedResource::put(std::int64_t user, double left, Use use, double now) {
  use.until = use.shares ? level_ + left : now + left / use.rate;
  (use.shares ? shared_ends_ : own_ends_).emplace(use.until, user);
  (use.shares ? shared_rates_ : own_rates_).emplace(use.rate, user);
  if (!use.shares) own_sum_ += use.rate;
  uses_[user] = use;
}

double SharedResource::take(std::int64_t user, double now) {
  const auto found = uses_.find(user);
  const Use use = found->second;
  uses_.erase(found);
  (use.shares ? shared_ends_ : own_ends_).erase({use.until, user});
  (use.shares ? shared_rates_ : own_rates_).erase({use.rate, user});
  if (use.shares) return std::max(use.until - level_, 0.0);
  own_sum_ = own_ends_.empty() ? 0 : own_sum_ - use.rate;
  return std::max((use.until - now) * use.rate, 0.0);
}

// Those whose own rate is below the fair one have their own, the others the fair one. Each move brings the
// fair rate closer to where it stays.
void SharedResource::balance(double now) {
  while (capacity_ > 0) {
    const double fair = fair_rate();
    const bool too_much = shared_ends_.empty()
                              ? own_sum_ > capacity_ * (1 + kRounding)
                              : !own_rates_.empty() && own_rates_.rbegin()->first > fair * (1 + kRounding);
    const bool too_little = !shared_rates_.empty() && shared_rates_.begin()->first < fair * (1 - kRounding);
    if (!too_much && !too_little) return;
    const auto [rate, user] = too_much ? *own_rates_.rbegin() : *shared_rates_.begin();
    const double left = take(user, now);
    put(user, left, {.rate = rate, .shares = too_much}, now);
  }
}

void SharedResource::add(std::int64_t user, double amount, double own_rate, double now) {
  pass(now);
  put(user, amount, {.rate = own_rate}, now);
  balance(now);
}

double SharedResource::next_end() const {
  const double own = own_ends_.empty() ? kNever : own_ends_.begin()->first;
  const double fair = fair_rate();
  if (shared_ends_.empty() || !(fair > 0)) return own;
  return std::min(own, now_ + std::max(shared_ends_.begin()->first - level_, 0.0) / fair);
}

std::vector<std::int64_t> SharedResource::take_done(events::Nanos now) {
  std::vector<std::int64_t> done;
  while (!uses_.empty() && next() <= now) {
    const double end = std::max(next_end(), now_);
    pass(end);
    const bool own = !own_ends_.empty() && own_ends_.begin()->first <= end;
    const std::int64_t user = own ? own_ends_.begin()->second : shared_ends_.begin()->second;
    take(user, end);
    balance(end);
    done.push_back(user);
  }
  return done;
}

}  // namespace sextant::federated
