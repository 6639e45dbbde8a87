// The terms of a linear model, for least squares of any of them to one response. Runs that are alike become
// one row, and an orthogonal turn (QR) leaves as many rows as there are columns: lengths and angles stay, so
// every fit does, and its cost does not depend on the number of runs any more.
#pragma once

#include <Eigen/QR>
#include <vector>

#include "model_terms.h"

namespace sextant::analysis {

inline constexpr double kRounding = 1e-20;  // of the total: what is left of a sum of squares that is 0

struct TermModel {
  std::vector<TermFactors> terms;
  std::vector<Eigen::Index> first = {};  // column of each term
  std::vector<Eigen::Index> width = {};  // columns of each term
  Eigen::VectorXd centre = {};           // of each column, over the runs
  Eigen::VectorXd norm = {};             // of each column before it was centred; 1 for a column of 0
  Eigen::MatrixXd columns = {};          // (columns less centre) / norm, turned
  Eigen::VectorXd response = {};         // less its mean, turned; without what no column reaches
  double mean = 0;                       // of the response
  double total_ss = 0;                   // of the response around its mean
  double unreached_ss = 0;               // of what no column reaches
  std::size_t runs = 0;
  std::vector<double> fitted = {};  // of each run, by all terms, less the mean
  Eigen::Index rank = 0;            // of all terms, without the mean
};
// InputError above kMostWork.
TermModel term_model(const AnalysisTable& table, int order);

// Different runs times columns squared: what the turn costs. A second is about 1e9.
double model_work(const AnalysisTable& table, int order);
inline constexpr double kMostWork = 3e10;

// Columns of a norm of at most 1 that others do not give to 10 digits.
Eigen::Index rank_of(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr);

// The columns of some terms, by their places.
Eigen::MatrixXd columns_of(const TermModel& model, const std::vector<std::size_t>& terms);

struct Projection {
  Eigen::VectorXd fitted;
  Eigen::Index rank = 0;
};
// Least squares.
Projection project(const Eigen::MatrixXd& columns, const Eigen::VectorXd& response);
// What `more` explains beyond `given`.
Projection project_beyond(const Eigen::MatrixXd& given, const Eigen::MatrixXd& more,
                          const Eigen::VectorXd& response);

}  // namespace sextant::analysis
