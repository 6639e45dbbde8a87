// Better layouts from given ones, by the model's cost: local search, and paths between good layouts.
#pragma once

#include <vector>

#include "layout.h"

namespace sextant::capacity {

// Gives each job in turn its best place and option, nodes other machine types, empties the emptiest nodes and
// exchanges jobs that run for jobs that wait, until nothing helps or `passes` are over.
void local_search(Layout& layout, int passes);

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
