// The kernel model: its derivatives against finite differences, and its table of coefficients.
#include "sextant/predict/kernel_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "builtin.h"
#include "sextant/nets/network.h"

namespace sextant::predict {
namespace {

using test::gpu;

KernelList kernels_of(const std::string& net, Precision precision = Precision::fp32) {
  jobs::Job job;
  job.net = net;
  job.sizes.batch = 8;
  job.precision = precision;
  return lower(build(nets::zoo().get(net), job.sizes), job);
}

struct GradientCase {
  std::string net;
  std::string gpu;
  Precision precision;
};

class Gradient : public testing::TestWithParam<GradientCase> {};

// Every coefficient, by central differences.
TEST_P(Gradient, AgreesWithFiniteDifferences) {
  const KernelList list = kernels_of(GetParam().net, GetParam().precision);
  const Device device = effective_device(gpu(GetParam().gpu), GetParam().precision);
  Coefficients c = start_coefficients();
  const StepGradient exact = step_gradient(list, device, c);
  EXPECT_NEAR(exact.total.value, step_time(list, device, c).total, 1e-12);
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double here = c[i];
    c[i] = here + kStep;
    const double above = step_time(list, device, c).total;
    c[i] = here - kStep;
    const double below = step_time(list, device, c).total;
    c[i] = here;
    EXPECT_NEAR(exact.total.by[i], (above - below) / (2 * kStep), 1e-6 * exact.total.value)
        << coefficient_table()[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, Gradient,
                         testing::Values(GradientCase{"resnet50", "v100", Precision::fp32},
                                         GradientCase{"mobilenet_v2", "t4", Precision::fp32},
                                         GradientCase{"resnext50_32x4d", "titan-v", Precision::fp16},
                                         GradientCase{"bert-large", "mi100", Precision::fp32}));

TEST(CoefficientTable, NamesEveryCoefficientOnce) {
  std::set<std::string> names;
  for (const auto& info : coefficient_table()) names.insert(info.name);
  EXPECT_EQ(names.size(), coefficient::count);
  EXPECT_EQ(coefficient_table().size(), coefficient::count);
}

}  // namespace
}  // namespace sextant::predict
