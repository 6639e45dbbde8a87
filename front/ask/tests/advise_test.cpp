// What to rent: wishes, machines, deadlines.
#include "sextant/ask/advise.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "ask_fixture.h"
#include "deadline.h"
#include "temporary_folder.h"

namespace sextant::ask {
namespace {

AdviseQuestion small_job() {
  AdviseQuestion question{.samples = 50'000, .machines = {"aws/p3.2xlarge", "aws/p3.16xlarge"}};
  question.plan.job = {.net = {"resnet18"}, .stack = "tensorflow"};
  question.counts = {1, 2, 4};
  return question;
}

AdviseAnswer advised(const AdviseQuestion& question) {
  NoProgress quiet;
  return advise(question, test::known(), quiet);
}

TEST(AskAdvise, ABudgetWithoutADeadlineRanksByTime) {
  AdviseQuestion question = small_job();
  EXPECT_EQ(advised(question).advice.wishes.by, plan::RankBy::cost);
  question.budget = "100";
  const AdviseAnswer rich = advised(question);
  EXPECT_EQ(rich.advice.wishes.by, plan::RankBy::time);
  EXPECT_EQ(rich.advice.ranked.size(), 6U) << "two types, three numbers";
  // Those within 5 % of the fastest are ranked by cost.
  for (std::size_t i = 1; i < rich.advice.ranked.size(); ++i)
    EXPECT_LE(rich.advice.ranked[i - 1].offer.time, plan::kSameTime * rich.advice.ranked[i].offer.time);
  question.by = "cost";
  EXPECT_EQ(advised(question).advice.wishes.by, plan::RankBy::cost);
}

// A file of one's own, called like a network of the zoo, which it is not.
TEST(AskAdvise, AFileIsItsOwnNetworkWhateverItIsCalled) {
  const std::filesystem::path models = std::string(SEXTANT_SOURCE_DIR) + "/facts/nets/tests/onnx";
  const TemporaryFolder folder;
  const auto step_of = [&](const std::string& name) {
    const std::filesystem::path file = folder.path() / name;
    std::filesystem::copy_file(models / "mobilenet_v2.onnx", file);
    AdviseQuestion question = small_job();
    question.plan.job.net.name = file.string();
    const AdviseAnswer answer = advised(question);
    EXPECT_FALSE(answer.advice.ranked.empty()) << name;
    return answer.advice.ranked.empty() ? Seconds{} : answer.advice.ranked.front().offer.time;
  };
  const Seconds own = step_of("our_net.onnx");
  EXPECT_EQ(step_of("resnet18.onnx"), own);
  EXPECT_NE(own, advised(small_job()).advice.ranked.front().offer.time);
}

TEST(AskAdvise, NothingThatFitsIsAnAnswer) {
  AdviseQuestion question = small_job();
  question.plan.deadline = "1 ms";
  const AdviseAnswer none = advised(question);
  EXPECT_TRUE(none.advice.ranked.empty());
  EXPECT_EQ(none.advice.tightest->constraint, "deadline");
  EXPECT_TRUE(none.strategies.empty());
}

TEST(AskAdvise, BoundsThatNobodyAskedForAreSaid) {
  AdviseQuestion question = small_job();
  question.samples = 1'000'000;
  question.machines = {"aws/p3.16xlarge"};
  question.plan.batch = 128;
  EXPECT_EQ(advised(question).usual_most_machines, 0) << "the numbers were named";
  question.counts.clear();
  const AdviseAnswer capped = advised(question);
  EXPECT_EQ(capped.usual_most_batch, plan::kProvenBatch) << "16 machines with 128 samples on each of 8 GPUs";
  for (const auto& r : capped.advice.ranked) EXPECT_LE(r.offer.global_batch, plan::kProvenBatch);
  question.plan.max_global_batch = 1 << 20;
  const AdviseAnswer free = advised(question);
  EXPECT_EQ(free.usual_most_batch, 0);
  EXPECT_EQ(free.usual_most_machines, 16) << "the fastest offer has the most machines";
}

TEST(AskAdvise, BadWishesPointAtTheirField) {
  const auto field = [](auto change) {
    AdviseQuestion question = small_job();
    change(question);
    return test::field_of([&] { return advised(question); });
  };
  EXPECT_EQ(field([](AdviseQuestion& q) { q.budget = "0"; }), "budget");
  EXPECT_EQ(field([](AdviseQuestion& q) { q.plan.deadline = "soon"; }), "deadline");
  EXPECT_EQ(field([](AdviseQuestion& q) { q.samples.reset(); }), "samples");
  EXPECT_EQ(field([](AdviseQuestion& q) { q.machines = {"aws/p9"}; }), "machine");
  EXPECT_EQ(field([](AdviseQuestion& q) {
              q.safe = true;
              q.plan.model.predictor = "roofline";
            }),
            "safe");
}

TEST(AskScale, TwiceTheSamplesTakeMoreMachines) {
  ScaleQuestion question{.machine = "aws/p3.2xlarge", .samples = {100'000, 200'000}, .epochs = 90};
  question.plan.job = {.net = {"resnet50"}, .stack = "tensorflow"};
  question.plan.deadline = "12 h";
  question.most = 16;
  NoProgress quiet;
  const ScaleAnswers answer = scale(question, test::known(), quiet);
  EXPECT_TRUE(answer.feasible());
  const auto& curves = answer.scale.curves;
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_LT(*curves[0].enough, *curves[1].enough);
  question.plan.deadline = "1 min";
  EXPECT_FALSE(scale(question, test::known(), quiet).feasible());
}

TEST(Deadline, IsADurationOrADate) {
  EXPECT_EQ(parse_deadline("36 h", {}), 36 * kHour);
  EXPECT_GT(parse_deadline("2199-12-31T18:00", {}), Seconds{});
  EXPECT_THROW(parse_deadline("2199-02-30", {}), InputError);
  for (const char* text : {"2001-01-01", "-1 h", "0 s", "36", "2199-13-45", ""})
    EXPECT_THROW(parse_deadline(text, {}), InputError) << text;
}

TEST(AskAdvise, ADeadlineThatIsNoneSaysHowToWriteOne) {
  AdviseQuestion question = small_job();
  question.plan.deadline = "tomorrow";
  try {
    (void)advised(question);
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.hint(), "a time from now, as in '24 h', or a date in UTC, as in 2027-01-31");
  }
}

}  // namespace
}  // namespace sextant::ask
