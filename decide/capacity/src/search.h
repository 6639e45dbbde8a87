// Better layouts from given ones, by the model's cost: local search, and paths between good layouts.
#pragma once

#include <vector>

#include "layout.h"
#include "sextant/core/rng.h"

namespace sextant::capacity {

// Gives each job in turn its best place and option, nodes other machine types, places the jobs of nodes anew
// and exchanges jobs, until nothing helps or `passes` are over. Where due dates are far, the model finds
// waiting cheaper than any work: whether a job may be stopped for that alone is for the caller to say.
enum class Stops { never, where_cheaper };
void local_search(Layout& layout, int passes, Stops stops = Stops::never);

// Places the jobs of a few nodes anew, again and again, nodes and order by chance; the cheapest layout on the
// way.
struct Shaking {
  int rounds = 1000;
  Stops stops = Stops::never;
};
Layout shaken(const Layout& start, const Shaking& shaking, Rng& rng);

// The best layout on the way from one to another: step by step, jobs get the places that they have in the
// guide; what is in the way finds another place. Of each step, the cheapest of a few is taken.
Layout relink(const Layout& source, const Layout& guide);

// Jobs that are elsewhere, or with another option.
int distance(const Layout& a, const Layout& b);

// A few good layouts that differ.
class Elite {
 public:
  explicit Elite(std::size_t most) : most_(most) {}
  void add(const Layout& layout);
  [[nodiscard]] const std::vector<Layout>& all() const { return layouts_; }  // cheapest first
  [[nodiscard]] const Layout& best() const { return layouts_.front(); }

 private:
  std::size_t most_;
  std::vector<Layout> layouts_;
};

}  // namespace sextant::capacity
