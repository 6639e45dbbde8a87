#include "engine_jobs.h"

#include <algorithm>
#include <stdexcept>

namespace sextant::simulate {

schedule::JobSlot ActiveJobs::add(std::int64_t job, Nanos now) {
  if (unused_.empty()) {
    if (slots() == events::kSubjects) throw std::length_error("more jobs at once than a run can have");
    unused_.push_back(slots());
    views_.emplace_back();
    states_.emplace_back();
  }
  const schedule::JobSlot slot = unused_.back();
  unused_.pop_back();
  const SimJob& from = jobs_.jobs[static_cast<std::size_t>(job)];
  const double planned = from.planned > 0 ? from.planned : from.work;
  view(slot) = {.id = job,
                .arrival_s = clock_.at(now),
                .gpus = from.gpus,
                .user = from.user,
                .kind = from.cls,
                .weight = from.weight,
                .priority = from.priority,
                .deadline_s = from.deadline.value,
                .cpus = from.cpus,
                .memory_gib = from.memory_gib,
                .work = planned,
                .true_work = from.work,
                .rate = jobs_.classes[static_cast<std::size_t>(from.cls)].rate.data(),
                .since_s = clock_.at(now),
                .remaining = planned};
  ActiveJob& state = this->state(slot);
  state.present = true;
  state.beside = -1;
  state.cls = from.cls;
  state.surplus = planned - from.work;
  state.completion = 0;
  state.since = now;
  return slot;
}

void ActiveJobs::advance(schedule::JobSlot slot, Nanos now) {
  schedule::JobView& view = this->view(slot);
  ActiveJob& state = this->state(slot);
  const Nanos elapsed = now - state.since;
  if (elapsed == 0 || !view.runs()) return;
  const Nanos starting = std::clamp(state.productive - state.since, Nanos{0}, elapsed);
  const double ran = seconds_of(elapsed - starting);
  const double compute = ran * state.pace.share;
  const double overhead = seconds_of(starting) + (ran - compute);
  // Two jobs on the same GPUs have half of them each in the books.
  const double gpus = state.beside < 0 ? view.gpus : 0.5 * view.gpus;
  const double before = view.remaining;

  JobOutcome& outcome = this->outcome(slot);
  PoolUse& pool = result_.pools[static_cast<std::size_t>(view.type)];
  view.executed_s += seconds_of(elapsed);
  view.remaining -= view.speed * ran;
  outcome.executed = Seconds{view.executed_s};
  outcome.overhead += Seconds{overhead};
  pool.overhead += gpus * overhead;
  pool.productive += gpus * compute;
  state.unsaved_s += compute;
  state.unsaved_gpu_s += gpus * compute;
  state.since = now;
  view.since_s = clock_.at(now);
  if (state.pace.period != kEndless) save_checkpoints(slot, now, before);
}

// `before` is what remained at the beginning of the stretch that ends now.
void ActiveJobs::save_checkpoints(schedule::JobSlot slot, Nanos now, double before) {
  ActiveJob& state = this->state(slot);
  const schedule::JobView& view = this->view(slot);
  if (now <= state.saved || now - state.saved < state.pace.period) return;
  const Nanos since_last = state.pace.period > 0 ? (now - state.saved) % state.pace.period : 0;
  const double gpus = state.beside < 0 ? view.gpus : 0.5 * view.gpus;
  state.saved = now - since_last;
  state.saved_remaining = std::min(before, view.remaining + view.speed * seconds_of(since_last));
  state.unsaved_s = seconds_of(since_last) * state.pace.share;
  state.unsaved_gpu_s = gpus * state.unsaved_s;
}

void ActiveJobs::roll_back(schedule::JobSlot slot) {
  ActiveJob& state = this->state(slot);
  schedule::JobView& view = this->view(slot);
  PoolUse& pool = result_.pools[static_cast<std::size_t>(view.type)];
  view.remaining = state.saved_remaining;
  outcome(slot).lost += Seconds{state.unsaved_s};
  pool.productive -= state.unsaved_gpu_s;
  pool.lost += state.unsaved_gpu_s;
  state.unsaved_s = state.unsaved_gpu_s = 0;
}

void ActiveJobs::save(schedule::JobSlot slot, Nanos now) {
  ActiveJob& state = this->state(slot);
  state.saved = std::max(now, state.productive);
  state.saved_remaining = view(slot).remaining;
  state.unsaved_s = state.unsaved_gpu_s = 0;
}

}  // namespace sextant::simulate
