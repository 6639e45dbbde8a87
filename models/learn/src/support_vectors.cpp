#include "support_vectors.h"

#include <libsvm/svm.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "json_fields.h"
#include "sextant/core/error.h"

namespace sextant::learn {
namespace {

// libsvm reads sparse rows that end in index -1.
std::vector<svm_node> nodes_of(std::span<const double> x) {
  std::vector<svm_node> nodes;
  for (std::size_t j = 0; j < x.size(); ++j) nodes.push_back({static_cast<int>(j) + 1, x[j]});
  nodes.push_back({-1, 0});
  return nodes;
}

svm_parameter library_settings(const SvrSettings& settings) {
  svm_parameter parameter{};
  parameter.svm_type = EPSILON_SVR;
  parameter.kernel_type = settings.kernel == SvrKernel::linear ? LINEAR : RBF;
  parameter.gamma = settings.gamma;
  parameter.C = settings.c;
  parameter.p = settings.epsilon;
  parameter.eps = 1e-3;        // libsvm's default stopping tolerance
  parameter.cache_size = 100;  // MB
  parameter.shrinking = 1;
  return parameter;
}

// The rows in the form of the library; keeps what the pointers point at.
struct SparseRows {
  std::vector<std::vector<svm_node>> nodes;
  std::vector<svm_node*> pointers;

  explicit SparseRows(const stats::Matrix& x) {
    for (std::size_t i = 0; i < x.rows(); ++i) nodes.push_back(nodes_of(x.row(i)));
    for (auto& row : nodes) pointers.push_back(row.data());
  }
};

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

class Svr final : public Regressor {
 public:
  explicit Svr(SupportVectors vectors) : s_(std::move(vectors)), rows_(s_.vectors) {
    model_.param = library_settings(s_.settings);
    model_.nr_class = 2;
    model_.l = static_cast<int>(s_.vectors.rows());
    model_.SV = rows_.pointers.data();
    coefficient_row_ = s_.coefficients.data();
    model_.sv_coef = &coefficient_row_;
    model_.rho = &s_.rho;
  }
  Svr(const Svr&) = delete;  // the library's struct points into this object
  Svr& operator=(const Svr&) = delete;

  [[nodiscard]] double predict(std::span<const double> x) const override {
    // Held within the range of a double's square, so that kernels of wild queries stay finite.
    std::vector<double> scaled(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      scaled[j] = std::clamp((x[j] - s_.scaling.mean[j]) / s_.scaling.sd[j], -1e100, 1e100);
    }
    return s_.target.back(svm_predict(&model_, nodes_of(scaled).data()));
  }

  [[nodiscard]] Json to_json() const override;

 private:
  SupportVectors s_;
  SparseRows rows_;
  double* coefficient_row_ = nullptr;
  svm_model model_{};
};

Json Svr::to_json() const {
  return {{"kernel", s_.settings.kernel == SvrKernel::linear ? "linear" : "rbf"},
          {"gamma", s_.settings.gamma},
          {"mean", s_.scaling.mean},
          {"sd", s_.scaling.sd},
          {"target", target_json(s_.target)},
          {"rho", s_.rho},
          {"coefficients", s_.coefficients},
          {"vectors", matrix_json(s_.vectors)}};
}

}  // namespace

SupportVectors train_svr(const Sample& sample, const Target& target, const SvrSettings& settings) {
  static std::once_flag silenced;
  std::call_once(silenced, [] { svm_set_print_string_function([](const char*) {}); });
  SupportVectors out;
  out.settings = settings;
  out.target = target;
  out.scaling = scaling_of(sample.x);
  SparseRows rows(standardised(sample.x, out.scaling));
  std::vector<double> z;
  for (const double y : sample.y) z.push_back(target.forward(y));
  const svm_problem problem{static_cast<int>(z.size()), z.data(), rows.pointers.data()};
  const svm_parameter parameter = library_settings(settings);
  if (const char* fault = svm_check_parameter(&problem, &parameter)) throw InputError({}, fault);
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));
  const auto count = static_cast<std::size_t>(model->l);
  out.rho = model->rho[0];
  out.vectors = stats::Matrix(count, sample.x.columns());
  for (std::size_t i = 0; i < count; ++i) {
    out.coefficients.push_back(model->sv_coef[0][i]);
    for (std::size_t j = 0; j < sample.x.columns(); ++j) out.vectors(i, j) = model->SV[i][j].value;
  }
  return out;
}

std::unique_ptr<Regressor> make_svr(SupportVectors vectors) {
  return std::make_unique<Svr>(std::move(vectors));
}

}  // namespace sextant::learn
