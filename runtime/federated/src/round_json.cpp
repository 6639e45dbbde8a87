// Rounds as text. Only what is measured is written; shares and means are worked out by who shows them.
#include <nlohmann/json.hpp>

#include "sextant/federated/round.h"
#include "sextant/measure/run_file_reader.h"

namespace sextant::federated {
namespace {

constexpr const char* kRoundsSchema = "sextant.federated-rounds/1";
constexpr std::int64_t kMostNumber = 1'000'000'000'000;

class RoundsReader : measure::RunFileReader {
 public:
  explicit RoundsReader(std::string file) : RunFileReader(std::move(file)) {}

  [[nodiscard]] std::vector<RoundNote> read(const Json& json) const {
    check_schema(json, kRoundsSchema, "the rounds of a federation", "sextant federate");
    only(json, {"schema", "rounds"});
    std::vector<RoundNote> rounds;
    for (const Json& item : list(json, "rounds")) rounds.push_back(round(item));
    return rounds;
  }

 private:
  [[nodiscard]] RoundNote round(const Json& json) const {
    if (!json.is_object()) fail("rounds", "holds something that is no round");
    only(json, {"round", "chosen", "answered", "late", "dropped", "excluded", "attacking", "flagged",
                "seconds", "client_seconds", "train_seconds", "sent_bytes", "received_bytes", "train_loss",
                "test", "attack_success", "diverged"});
    RoundNote note;
    note.round = count(json, "round", 1, kMostNumber);
    note.chosen = whole(json, "chosen");
    note.answered = whole(json, "answered");
    note.late = whole(json, "late");
    note.dropped = whole(json, "dropped");
    note.attacking = whole(json, "attacking");
    note.flagged = whole(json, "flagged");
    for (const Json& item : list(json, "excluded")) {
      if (!item.is_object()) fail("excluded", "holds something that is no exclusion");
      only(item, {"client", "reason"});
      note.excluded.push_back({count(item, "client", 0, kMostNumber), text(item, "reason")});
    }
    const Json& seconds = member(json, "seconds");
    only(seconds, {"clients", "rule", "evaluation", "total"});
    note.seconds = {.clients = at_least_zero(seconds, "clients"),
                    .rule = at_least_zero(seconds, "rule"),
                    .evaluation = at_least_zero(seconds, "evaluation"),
                    .total = at_least_zero(seconds, "total")};
    note.client_seconds = at_least_zero(json, "client_seconds");
    note.train_seconds = at_least_zero(json, "train_seconds");
    note.sent_bytes = at_least_zero(json, "sent_bytes");
    note.received_bytes = at_least_zero(json, "received_bytes");
    note.train_loss = loss(json, "train_loss");
    note.attack_success = number(json, "attack_success");
    note.diverged = json.contains("diverged") && flag(json, "diverged");
    note.test = evaluation(member(json, "test"));
    return note;
  }

  [[nodiscard]] Evaluation evaluation(const Json& json) const {
    only(json, {"loss", "classes", "confusion"});
    Evaluation test{.loss = loss(json, "loss"),
                    .confusion = whole(json, "confusion"),
                    .classes = count(json, "classes", 0, 1'000'000)};
    if (static_cast<std::int64_t>(test.confusion.size()) != test.classes * test.classes) {
      fail("confusion", "is not a square of as many classes as there are");
    }
    return test;
  }

  // A model that has diverged has none.
  [[nodiscard]] double loss(const Json& json, const std::string& name) const {
    return maybe_number(json, name).value_or(std::numeric_limits<double>::quiet_NaN());
  }

  [[nodiscard]] std::vector<std::int64_t> whole(const Json& json, const std::string& name) const {
    std::vector<std::int64_t> values;
    for (const Json& item : list(json, name)) {
      const bool fits = item.is_number_integer() && item.get<std::int64_t>() >= 0;
      if (!fits) fail(name, "holds something that is no count");
      values.push_back(item.get<std::int64_t>());
    }
    return values;
  }
};

Json exclusions_json(const std::vector<Exclusion>& excluded) {
  Json all = Json::array();
  for (const Exclusion& one : excluded) all.push_back({{"client", one.client}, {"reason", one.reason}});
  return all;
}

}  // namespace

Json to_json(const RoundNote& note) {
  Json json = {
      {"round", note.round},
      {"chosen", note.chosen},
      {"answered", note.answered},
      {"late", note.late},
      {"dropped", note.dropped},
      {"excluded", exclusions_json(note.excluded)},
      {"attacking", note.attacking},
      {"flagged", note.flagged},
      {"seconds",
       {{"clients", note.seconds.clients},
        {"rule", note.seconds.rule},
        {"evaluation", note.seconds.evaluation},
        {"total", note.seconds.total}}},
      {"client_seconds", note.client_seconds},
      {"train_seconds", note.train_seconds},
      {"sent_bytes", note.sent_bytes},
      {"received_bytes", note.received_bytes},
      {"train_loss", note.train_loss},
      {"test",
       {{"loss", note.test.loss}, {"classes", note.test.classes}, {"confusion", note.test.confusion}}},
      {"attack_success", note.attack_success}};
  if (note.diverged) json["diverged"] = true;
  return json;
}

std::string rounds_text(const std::vector<RoundNote>& rounds) {
  Json list = Json::array();
  for (const RoundNote& note : rounds) list.push_back(to_json(note));
  return Json{{"schema", kRoundsSchema}, {"rounds", std::move(list)}}.dump() + "\n";
}

std::vector<RoundNote> rounds_from_json(const std::string& text, const std::string& file_name) {
  return RoundsReader(file_name).read(parse_json(text, file_name));
}

}  // namespace sextant::federated
