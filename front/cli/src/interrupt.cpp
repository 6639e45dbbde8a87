#include "interrupt.h"

#include <csignal>

namespace sextant::cli {
namespace {

// A handler reaches nothing but what stands still: hence the variables of the program that are not values.
std::atomic<bool> asked_to_end{false};
std::atomic<bool> asked_twice{false};
std::atomic<bool> second_is_told{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int number) {
  const bool second = asked_to_end.exchange(true) || number == SIGTERM;
  if (second) asked_twice = true;
  if (second || !second_is_told) std::signal(number, SIG_DFL);
}

void restore(int number, void (*before)(int)) {
  std::signal(number, before == SIG_ERR ? SIG_DFL : before);
}

}  // namespace

Interrupt::Interrupt(Second second) : terminates_(second == Second::is_told) {
  asked_to_end = false;
  asked_twice = false;
  second_is_told = terminates_;
  before_ = std::signal(SIGINT, on_interrupt);
  if (terminates_) before_term_ = std::signal(SIGTERM, on_interrupt);
}

Interrupt::~Interrupt() {
  restore(SIGINT, before_);
  if (terminates_) restore(SIGTERM, before_term_);
}

const std::atomic<bool>* Interrupt::flag() const {
  return &asked_to_end;
}

bool Interrupt::asked_again() const {
  return asked_twice;
}

RunInterrupt::RunInterrupt(const Io& io) : abandoned_(io.abandoned) {
  if (!abandoned_) heard_.emplace(Interrupt::Second::is_told);
}

RunStop RunInterrupt::stop() const {
  if (!heard_) return {.abandon = abandoned_};
  return {.finish = heard_->flag(), .abandon = [this] { return heard_->asked_again(); }};
}

}  // namespace sextant::cli
