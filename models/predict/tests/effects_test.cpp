// What is left over, by group: learnt where rows are many, pulled to nothing where they are few.
#include "sextant/predict/effects.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sextant::predict {
namespace {

CaseLabels labels(const std::string& net, const std::string& gpu, double batch = 0) {
  return {.gpu = gpu,
          .vendor = gpu.starts_with("mi") ? "AMD" : "NVIDIA",
          .net = net,
          .family = net.substr(0, 3),
          .precision = "fp32",
          .mode = "train",
          .size = 0.5,
          .batch = batch};
}

struct Rows {
  std::vector<CaseLabels> labels;
  std::vector<double> left_over;

  void add(CaseLabels label, double value) {
    labels.push_back(std::move(label));
    left_over.push_back(value);
  }
};

// `gpu` is `slow` off on every network, the others are as modelled.
Rows slow_device(const std::string& gpu, double slow) {
  Rows rows;
  for (const char* net : {"resnet50", "vgg16", "alexnet", "squeezenet", "densenet"}) {
    for (const char* other : {"v100", "t4", "p100", "k80"}) {
      for (const double batch : {-1.0, 0.0, 1.0})
        rows.add(labels(net, other, batch), gpu == other ? slow : 0);
    }
  }
  return rows;
}

TEST(Effects, AGroupSeenOftenIsCorrected) {
  const double slow = std::log(1.2);
  const Rows rows = slow_device("t4", slow);
  const Effects effects = fit_effects(rows.labels, rows.left_over);
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    EXPECT_NEAR(effects.of(rows.labels[i]), rows.left_over[i], 0.03)
        << rows.labels[i].net << rows.labels[i].gpu;
  }
  EXPECT_GT(effects.of(labels("inception", "t4")), 0.5 * slow) << "a network of which nothing is known";
  EXPECT_NEAR(effects.of(labels("inception", "v100")), 0, 0.03);
}

TEST(Effects, UnseenGroupsAddNothing) {
  const Rows rows = slow_device("t4", std::log(1.2));
  const Effects effects = fit_effects(rows.labels, rows.left_over);
  EXPECT_EQ(effects.of(labels("inception", "mi100")), 0);
  EXPECT_EQ(Effects{}.of(labels("vgg16", "t4")), 0);
  EXPECT_TRUE(fit_effects({}, {}).by_group.empty());
}

// One row cannot say which of its groups is to blame, nor whether it is noise.
TEST(Effects, OneRowIsBelievedLessThanManyElsewhere) {
  Rows one;
  one.add(labels("vgg16", "t4"), 0.2);
  const Effects few = fit_effects(one.labels, one.left_over);
  const Rows rows = slow_device("t4", 0.2);
  const Effects many = fit_effects(rows.labels, rows.left_over);
  EXPECT_LT(few.of(labels("vgg16", "t4")), 0.2);
  EXPECT_GT(few.of(labels("inception", "t4")), 0);
  EXPECT_LT(few.of(labels("inception", "t4")), many.of(labels("inception", "t4")));
}

TEST(Effects, NothingLeftOverIsNoEffect) {
  const Rows rows = slow_device("t4", 0);
  for (const auto& [group, weights] : fit_effects(rows.labels, rows.left_over).by_group) {
    for (const double weight : weights) EXPECT_EQ(weight, 0) << group;
  }
}

TEST(Effects, RefiningChangesOnlyGroupsOfTheDevice) {
  const Rows rows = slow_device("t4", 0.1);
  const Effects known = fit_effects(rows.labels, rows.left_over);
  Rows fresh;
  for (const char* net : {"resnet50", "vgg16", "alexnet"}) fresh.add(labels(net, "rtx-3090"), -0.2);
  const Effects refined = refine_effects(known, fresh.labels, fresh.left_over);

  for (const auto& [group, weights] : known.by_group) EXPECT_EQ(refined.by_group.at(group), weights) << group;
  EXPECT_GT(refined.by_group.size(), known.by_group.size());
  for (const auto& [group, weights] : refined.by_group) {
    if (known.by_group.contains(group)) continue;
    EXPECT_NE(group.find("rtx-3090"), std::string::npos) << group;
  }
  EXPECT_EQ(refined.of(labels("vgg16", "p100")), known.of(labels("vgg16", "p100")));
  EXPECT_LT(refined.of(labels("densenet", "rtx-3090")), known.of(labels("densenet", "rtx-3090")) - 0.05);
}

TEST(Effects, RefiningWhatIsAlreadyExplainedChangesNothing) {
  const Rows rows = slow_device("t4", 0.1);
  const Effects known = fit_effects(rows.labels, rows.left_over);
  const CaseLabels asked = labels("vgg16", "t4");
  const double explained = known.of(asked);
  const Effects refined = refine_effects(known, std::span(&asked, 1), std::span(&explained, 1));
  EXPECT_EQ(refined.of(asked), explained);
  EXPECT_EQ(refined.by_group, known.by_group);
}

}  // namespace
}  // namespace sextant::predict
