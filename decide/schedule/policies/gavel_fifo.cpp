// Gavel's three ways of first come, first served: on the fastest type that is free, on a type drawn at
// random, and the latter as it was released, where the drawn type is not the one that is given.
#include <algorithm>
#include <map>
#include <memory>

#include "gavel_rows.h"
#include "sextant/core/python_random.h"

namespace sextant::schedule::policy_gavel_fifo {
namespace {

class FifoBySpeed final : public SharePolicy {
 public:
  void allocate(const ShareProblem& problem, Shares& out) override {
    out.reset(problem.jobs.size() + problem.pairs.size(), problem.types.size());
    for (const FifoPlace& place : fifo_by_speed(problem).placed) out.at(place.job, place.type) = 1;
  }
};

enum class Draw { honoured, ignored };

// Jobs keep their type from call to call.
template <Draw draw>
class FifoByDraw final : public SharePolicy {
 public:
  explicit FifoByDraw(std::uint64_t seed) : random_(seed) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    problem_ = &problem;
    queue_.clear();
    next_ = 0;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
      if (!type_of_.contains(problem.jobs[j].id)) queue_.push_back(j);
    }
    free_ = problem.gpus;
    hand_on_slots();
    draw_types();
    out.reset(problem.jobs.size() + problem.pairs.size(), problem.types.size());
    for (const auto& [id, type] : type_of_) out.at(index_of(id), type) = 1;
  }

 private:
  [[nodiscard]] std::size_t index_of(std::int64_t id) const {
    const auto it = std::ranges::lower_bound(problem_->jobs, id, {}, &ShareJob::id);
    const bool found = it != problem_->jobs.end() && it->id == id;
    return found ? static_cast<std::size_t>(it - problem_->jobs.begin()) : problem_->jobs.size();
  }

  // Where a job has ended, the head of the queue takes its type if it fits beside what has been counted so
  // far, which is too little where jobs with larger ids are still to come.
  void hand_on_slots() {
    std::map<std::int64_t, std::size_t> kept;
    for (const auto& [id, type] : type_of_) {
      const std::size_t job = index_of(id);
      if (job < problem_->jobs.size()) {
        free_[type] -= problem_->jobs[job].gpus;
        kept.emplace(id, type);
      } else if (next_ < queue_.size()) {
        const ShareJob& head = problem_->jobs[queue_[next_]];
        if (head.gpus > free_[type] || head.rate[type] <= 0) continue;
        ++next_;
        kept.emplace(head.id, type);
        free_[type] -= head.gpus;
      }
    }
    type_of_ = std::move(kept);
  }

  void draw_types() {
    std::vector<std::size_t> open;  // types with a free GPU
    for (const std::size_t t : types_by_name(*problem_)) {
      if (free_[t] > 0) open.push_back(t);
    }
    while (next_ < queue_.size() && !open.empty()) {
      const ShareJob& job = problem_->jobs[queue_[next_++]];
      fitting_.clear();
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (free_[open[i]] >= job.gpus) fitting_.push_back(i);
      }
      if (fitting_.empty()) return;
      const std::size_t drawn = fitting_[static_cast<std::size_t>(random_.below(fitting_.size()))];
      // As released: the last type that was looked at, whether it fits or not.
      const std::size_t type = draw == Draw::honoured ? open[drawn] : open.back();
      if (job.rate[type] <= 0) continue;
      type_of_.emplace(job.id, type);
      free_[type] -= job.gpus;
      if (free_[type] == 0) open.erase(open.begin() + static_cast<std::ptrdiff_t>(drawn));
    }
  }

  PythonRandom random_;
  std::map<std::int64_t, std::size_t> type_of_ = {};  // by id
  const ShareProblem* problem_ = nullptr;
  std::vector<std::size_t> queue_ = {};  // in problem_->jobs
  std::size_t next_ = 0;                 // in queue_
  std::vector<double> free_ = {};
  std::vector<std::size_t> fitting_ = {};  // in the list of open types
};

template <Draw draw>
std::unique_ptr<SharePolicy> make_by_draw(const PolicySetup& setup) {
  return std::make_unique<FifoByDraw<draw>>(setup.seed);
}

}  // namespace

std::vector<PolicyInfo> plugin() {
  const std::string reference = "Narayanan et al., OSDI 2020 (Gavel), released code";
  PolicyInfo by_speed{{.id = "gavel-fifo-perf",
                       .summary = "first come, first served, each job on the fastest GPU type that is free",
                       .reference = reference}};
  by_speed.aliases = {"fifo_perf"};
  by_speed.share = [](const PolicySetup&) -> std::unique_ptr<SharePolicy> {
    return std::make_unique<FifoBySpeed>();
  };
  by_speed.gavel = "fifo_perf";
  by_speed.takes_idle = false;

  PolicyInfo released{{.id = "gavel-fifo",
                       .summary = "first come, first served as Gavel released it: picks a GPU type at "
                                  "random, then gives the last free one",
                       .reference = reference}};
  released.share = make_by_draw<Draw::ignored>;
  released.gavel = "fifo";
  released.aware = false;
  released.takes_idle = false;

  PolicyInfo mended{{.id = "gavel-fifo-fixed",
                     .summary = "first come, first served on a free GPU type picked at random",
                     .reference = reference}};
  mended.share = make_by_draw<Draw::honoured>;
  mended.aware = false;
  mended.takes_idle = false;
  return {by_speed, released, mended};
}

}  // namespace sextant::schedule::policy_gavel_fifo
