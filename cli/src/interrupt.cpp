#include "interrupt.h"

#include <csignal>

namespace sextant {
namespace {

// A handler reaches nothing but what stands still: hence the one variable of the program that is not a value.
std::atomic<bool> asked_to_end{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int) {
  asked_to_end = true;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  asked_to_end = false;
  before_ = std::signal(SIGINT, on_interrupt);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, before_ == SIG_ERR ? SIG_DFL : before_);
}

const std::atomic<bool>* Interrupt::flag() const {
  return &asked_to_end;
}

}  // namespace sextant
