// Primal simplex method on a ShareBasis. Every answer is checked against its own dual bound; where that fails
// the general solver answers instead.
#pragma once

#include "share_basis.h"
#include "share_program.h"

namespace sextant::schedule {

class ShareSimplex {
 public:
  void solve(const ShareProgram& program, ShareOptimum& out);
  // The program solved last, a level, with new floors which its optimum meets, and demands or a gain changed:
  // goes on from its basis.
  void resume(const ShareProgram& program, ShareOptimum& out);

  [[nodiscard]] std::size_t pivots() const { return pivots_; }        // in all
  [[nodiscard]] std::size_t fallbacks() const { return fallbacks_; }  // to the general solver

 private:
  enum class Ending { optimal, reached, failed };
  struct Leaving {
    ShareColumn column = {};
    double step = 0;
    bool reaches_cap = false;
  };

  bool load(const ShareProgram& program);
  void crash();
  bool solve_fast(const ShareProgram& program, ShareOptimum& out);
  bool resume_fast(const ShareProgram& program, ShareOptimum& out);
  void set_demands(const ShareProgram& program);
  void set_objective(const ShareProgram& program);
  bool meet_floors(const ShareProgram& program, ShareOptimum& out);
  bool drop_level();
  Ending run(double cap);
  ShareColumn enter(bool first_found, double& reduced);
  [[nodiscard]] double level_reduced() const;
  [[nodiscard]] ShareColumn enter_share(std::size_t block, double& best) const;
  [[nodiscard]] Leaving leave(ShareColumn entering, double cap, bool first_found) const;
  [[nodiscard]] double level_value() const;
  static void settle_job(const ShareProgram& program, std::size_t job, ShareOptimum& out);
  void extract(const ShareProgram& program, ShareOptimum& out);

  ShareBasis basis_;
  ShareBasis::Vector dual_{};
  ShareBasis::Vector extras_{};
  ShareBasis::Vector extras_fall_{};
  std::vector<double> fastest_;
  double level_scale_ = 1;
  double gain_scale_ = 1;
  bool usable_ = false;     // the basis is that of an optimum
  std::size_t cursor_ = 0;  // job to be priced next
  std::size_t pivots_ = 0;
  std::size_t fallbacks_ = 0;
};

}  // namespace sextant::schedule
