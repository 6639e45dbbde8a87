// Advice as a table and as JSON.
#include "sextant/report/advice_report.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

ask::AdviseAnswer answer() {
  ask::AdviseAnswer answer;
  plan::Advice& a = answer.advice;
  for (int i = 1; i <= 4; ++i) {
    plan::Offer offer;
    offer.pool = {.type = "t4", .machine = "cloud/m", .gpus = 4 * i, .per_node = 4};
    offer.time = (5.0 - i) * kHour;
    offer.time_high = 2 * offer.time;
    offer.cost = Dollars{10.0 * i};
    offer.price = offer.cost / offer.time;
    a.ranked.push_back({offer, i % 2 == 0});
  }
  a.ranked.front().offer.global_batch = 16384;
  return answer;
}

Table shown_of(const ask::AdviseAnswer& a, std::size_t rows) {
  return advice_result(a, {.rows = rows, .explain = true}).sections.at(0).table;
}

std::vector<std::string> gpus_shown(const Table& table) {
  std::vector<std::string> gpus;
  for (const auto& row : table.rows) gpus.push_back(row[3].shown);
  return gpus;
}

TEST(AdviceTable, ShowsSoManyAsWereAskedFor) {
  const Table table = shown_of(answer(), 1);
  EXPECT_THAT(gpus_shown(table), testing::ElementsAre("4"));
  EXPECT_THAT(table.notes, Contains("First: 1 x cloud/m (one GPU) is the cheapest of 4 offers: 10.0 USD."));
  EXPECT_THAT(table.notes, Contains(HasSubstr("Caution: a batch of 16384 needs a learning rate of its own")));
  EXPECT_THAT(table.notes, Contains(HasSubstr("A deadline shorter than 4.00 h makes it")));
  EXPECT_EQ(shown_of(answer(), 0).rows.size(), 4U);
}

// The third is the runner-up, since the second is the first again in another number; text and table agree.
TEST(AdviceTable, TheRunnerUpIsAmongThoseShown) {
  ask::AdviseAnswer a = answer();
  a.advice.ranked[2].offer.pool.machine = "cloud/other";
  a.advice.runner_up = 2;
  EXPECT_THAT(gpus_shown(shown_of(a, 2)), testing::ElementsAre("4", "12"));
  EXPECT_THAT(gpus_shown(shown_of(a, 3)), testing::ElementsAre("4", "8", "12"));
}

TEST(AdviceTable, WithoutANumberTheFrontIsShownWhereItDiffers) {
  ask::AdviseAnswer many = answer();
  for (int i = 0; i < 20; ++i) {
    many.advice.ranked.push_back(many.advice.ranked.front());
    many.advice.ranked.back().offer.cost = Dollars{100.0 + i};
  }
  many.advice.ranked[22].on_front = many.advice.ranked[23].on_front = true;
  many.advice.ranked[22].offer.time = 0.5 * kHour;
  many.advice.ranked[23].offer.time = 0.49 * kHour;
  EXPECT_EQ(advice_result(many).sections.at(0).table.rows.size(), 11U)
      << "ten, and the last but one is on the front; the last is hardly faster";
}

TEST(AdviceTable, MachinesThatDifferInNameStandOnce) {
  ask::AdviseAnswer a = answer();
  a.advice.ranked[1] = a.advice.ranked[0];
  a.advice.ranked[1].offer.pool.machine = "cloud/m-n";
  const Table table = shown_of(a, 0);
  EXPECT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(
      table.notes,
      Contains("As fast for the same money as another, and so not shown: 1 x cloud/m-n (as 1 x cloud/m)."));
}

TEST(AdviceTable, StrategiesAreForWhoAsks) {
  ask::AdviseAnswer a = answer();
  a.strategies = {{.strategy = "data", .step = Seconds{1}}};
  EXPECT_THAT(shown_of(a, 1).notes, Contains(HasSubstr("Strategies on the first")));
  EXPECT_THAT(advice_result(a, {.rows = 1}).sections.at(0).table.notes,
              Not(Contains(HasSubstr("Strategies on the first"))));
}

TEST(AdviceTable, SaysThatTheCheapestOfTheFastIsFirst) {
  ask::AdviseAnswer a = answer();
  a.advice.wishes.by = plan::RankBy::time;
  a.advice.ranked.resize(2);
  a.advice.ranked[0].offer.time = 5.2 * kHour;
  a.advice.ranked[1].offer.time = 5 * kHour;
  a.advice.ranked[1].offer.pool.machine = "cloud/other";
  a.advice.runner_up = 1;
  EXPECT_THAT(
      shown_of(a, 0).notes,
      Contains("First: 1 x cloud/m (one GPU) is the cheapest of those nearly as fast as the fastest of 2 "
               "offers: 5.20 h, 10.0 USD, 50 % cheaper than the runner-up, 2 x cloud/other (one GPU: 5.00 h, "
               "20.0 USD); the fastest, 2 x cloud/other, takes 5.00 h for 20.0 USD."));
}

TEST(AdviceTable, SaysHowFarTheRunnerUpIs) {
  ask::AdviseAnswer two = answer();
  two.advice.ranked.resize(2);
  two.advice.ranked[1].offer.pool.machine = "cloud/other";
  two.advice.ranked[1].offer.cost = Dollars{30};
  two.advice.runner_up = 1;
  const Table table = shown_of(two, 0);
  // 10 of 30 dollars: two thirds less; three times the time costs as much, beyond twice the time.
  EXPECT_THAT(table.notes, Contains(HasSubstr("67 % cheaper than the runner-up, 2 x cloud/other")));
  EXPECT_THAT(table.notes,
              Contains(HasSubstr("200 % slower than predicted (unlikely: outside the 90 % interval)")));
}

TEST(AdviceTable, AnOfferWithoutAnUpperEndIsALowerBound) {
  ask::AdviseAnswer a = answer();
  for (plan::RankedOffer& ranked : a.advice.ranked)
    ranked.offer.time_high = Seconds{std::numeric_limits<double>::infinity()};
  const Table table = shown_of(a, 0);
  const auto marked =
      std::ranges::count_if(table.rows.at(0), [](const Cell& cell) { return cell.shown.starts_with(">= "); });
  EXPECT_EQ(marked, 2) << "step and time";
  std::vector<std::size_t> columns(table.columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) columns[c] = c;
  EXPECT_THAT(lines_below(table, columns), Contains(HasSubstr(">= : a lower bound")));
}

TEST(AdviceTable, OneOfferIsOne) {
  ask::AdviseAnswer one = answer();
  EXPECT_EQ(front_plot(one.advice, "lenet5").title, "lenet5: time and cost of 4 offers");
  one.advice.ranked.resize(1);
  EXPECT_EQ(front_plot(one.advice, "lenet5").title, "lenet5: time and cost of 1 offer");
}

TEST(AdviceJson, HasUnitsAndLimits) {
  ask::AdviseAnswer a = answer();
  a.offers = {
      .list = {}, .refusals = {{parallel::Limit::memory, 7, "m needs more", 1.5}}, .configurations = 11};
  const Json json = to_json(advice_result(a, {.rows = 1}));
  EXPECT_EQ(json.at("offers").at(1).at("total_usd"), 20.0);
  EXPECT_EQ(json.at("refusals").at(0).at("limit"), "memory");
  EXPECT_EQ(json.at("configurations"), 11);
  EXPECT_EQ(json.at("offers").size(), 4U) << "all, whatever people see";
  EXPECT_EQ(refusals_text(a.offers.refusals), "7 offers, too little memory (nearest: m needs more)");
}

TEST(Advice, NamesWhatIsInTheWay) {
  plan::Advice none{.wishes = {.deadline = 2 * kHour}, .ranked = {}};
  none.tightest = {.constraint = "deadline", .factor = 2, .nearest = answer().advice.ranked.front().offer};
  EXPECT_EQ(nothing_fits_text(none),
            "deadline is the tightest constraint; nearest: 1 x cloud/m (one GPU) takes 4.00 h and 10.0 USD, "
            "against a deadline of 2.00 h");
  none.tightest = {
      .constraint = "memory", .factor = 1.5, .refusal = plan::Refusal{.example = "m needs more"}};
  EXPECT_THAT(nothing_fits_text(none), HasSubstr("nearest: m needs more"));
}

TEST(AdviceTable, SeparatesStrategiesThatCannotBe) {
  ask::AdviseAnswer a = answer();
  a.strategies = {{.strategy = "data", .step = Seconds{0.1}},
                  {.strategy = "tensor", .limit = parallel::Limit::shape, .reason = "no heads"}};
  EXPECT_THAT(shown_of(a, 0).notes,
              Contains("Strategies on the first: data 100 ms; not tensor (shape: no heads)."));
  EXPECT_TRUE(to_json(advice_result(a, {.rows = 1})).at("strategies").at(1).at("iteration_s").is_null());
}

}  // namespace
}  // namespace sextant::report
