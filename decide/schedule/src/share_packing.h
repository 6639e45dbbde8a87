// Largest common level when two jobs may share the GPUs of one: a share program with a column per pair and
// type. There are thousands of pairs and few are used, so they are generated: those whose worth to both jobs,
// at the duals of the program so far, exceeds their price (Gilmore, Gomory, 1961), until there are none.
#pragma once

#include <cstddef>
#include <vector>

#include "sextant/schedule/policy.h"
#include "sextant/solve/linear_program.h"
#include "share_level.h"

namespace sextant::schedule {

struct PackedOptimum {
  bool feasible = false;
  double level = 0;
  std::vector<double> share = {};  // [job, then pair][type]
  std::size_t rounds = 0;
  std::size_t columns = 0;  // of jobs, and of pairs that were generated
};

class PackedLevel {
 public:
  // `program` has the jobs alone, with their demands.
  void solve(const ShareProblem& problem, const ShareProgram& program, PackedOptimum& out);

 private:
  struct Column {
    std::size_t row = 0;  // of the shares
    std::size_t type = 0;
  };
  struct Priced {
    double reduced = 0;
    Column column = {};
  };

  void start(const ShareProblem& problem, const ShareProgram& program, solve::LinearProgram& master);
  void add_single(const ShareProgram& program, Column column, solve::LinearProgram& master);
  void add_pair(const ShareProblem& problem, Column column, solve::LinearProgram& master);
  void scale_demands(const ShareProgram& program);
  void guess_duals(const ShareProgram& program);
  void seek_rest(const ShareProblem& problem, const ShareProgram& program, solve::LinearProgram& master,
                 double level);
  void price(const ShareProblem& problem);  // finds pairs that are worth more than their price
  void add_best(const ShareProblem& problem, std::size_t most, solve::LinearProgram& master);
  bool generate(const ShareProblem& problem, solve::LinearProgram& master, PackedOptimum& out);
  void read_duals(const solve::Solution& solution);
  void store(const solve::Solution& solution, const ShareProblem& problem, PackedOptimum& out) const;

  std::size_t jobs_ = 0;
  std::size_t types_ = 0;
  double unit_ = 1;  // of demands
  std::vector<double> demand_;
  std::vector<double> gain_;   // per unit of a job's level; the objective after the level is found
  std::vector<double> price_;  // duals: of capacities, of times, of levels
  std::vector<double> rent_;
  std::vector<double> worth_;
  std::vector<Column> columns_;  // of the master, after its first column, the level
  std::vector<Priced> priced_;
  std::vector<bool> present_;  // [pair][type]
  ShareSimplex simplex_;
  ShareOptimum alone_;
};

}  // namespace sextant::schedule
