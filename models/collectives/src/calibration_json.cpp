// Calibrations as text: plain values with their units in the names, corrections as factors.
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/collectives/calibration.h"
#include "sextant/core/embedded_file.h"
#include "sextant/core/json_reader.h"

namespace sextant::collectives {
namespace {

constexpr const char* kSchema = "sextant.collectives/1";
constexpr double kLargest = 1e18;  // far above any of these, and far from overflow

template <class Owner>
struct Field {
  const char* name;
  double Owner::*member;
};

constexpr std::array<Field<WireCoefficients>, 9> kWireFields = {{
    {"efficiency", &WireCoefficients::efficiency},
    {"start_s", &WireCoefficients::start},
    {"step_s", &WireCoefficients::step},
    {"quick_efficiency", &WireCoefficients::quick_efficiency},
    {"quick_start_s", &WireCoefficients::quick_start},
    {"quick_step_s", &WireCoefficients::quick_step},
    {"p2p_gain", &WireCoefficients::p2p_gain},
    {"p2p_start_s", &WireCoefficients::p2p_start},
    {"p2p_floor_s", &WireCoefficients::p2p_floor},
}};
constexpr std::array<Field<SystemCorrection>, 6> kSystemFields = {{
    {"host", &SystemCorrection::host},
    {"inside", &SystemCorrection::inside},
    {"pairs", &SystemCorrection::pairs},
    {"network", &SystemCorrection::network},
    {"message", &SystemCorrection::message},
    {"reduce", &SystemCorrection::reduce},
}};
constexpr std::array<Field<PlacementCorrection>, 2> kPlacementFields = {
    {{"rate", &PlacementCorrection::rate}, {"start", &PlacementCorrection::start}}};
constexpr std::array<Field<Width>, 2> kWidthFields = {
    {{"near_launch", &Width::near_launch}, {"above", &Width::above}}};

template <class Owner, std::size_t N>
Json fields_json(const Owner& owner, const std::array<Field<Owner>, N>& fields) {
  Json json = Json::object();
  for (const auto& field : fields) json[field.name] = rounded(owner.*field.member);
  return json;
}

Json widths_json(const std::array<Width, kKnown.size()>& widths) {
  Json json = Json::object();
  for (std::size_t i = 0; i < widths.size(); ++i)
    json[kKnown.at(i)] = fields_json(widths.at(i), kWidthFields);
  return json;
}

// Reads with errors that name the place in the document.
class CalibrationReader : JsonReader {
 public:
  explicit CalibrationReader(std::string file) : JsonReader(std::move(file)) {}

  [[nodiscard]] Calibration read(const Json& json) const {
    check_schema(json, kSchema, "a calibration of collectives", "sextant fit --method collective");
    Calibration c;
    c.rows = static_cast<std::size_t>(bounded(json, "rows"));
    c.launch = bounded(json, "launch_s");
    c.card_exponent = bounded(json, "card_exponent");
    if (c.card_exponent > 2) fail_at(json, "card_exponent", "is above 2");
    for (const auto& [name, value] : member(json, "architectures").items()) {
      c.architectures[name] = bounded(member(json, "architectures"), name);
    }
    for (std::size_t i = 0; i < kWires.size(); ++i) {
      read_fields(member(member(json, "wires"), kWires.at(i)), kWireFields, c.wires.at(i));
    }
    for (const auto& [name, value] : member(json, "systems").items()) {
      read_fields(value, kSystemFields, c.systems[name]);
    }
    for (const auto& [name, value] : member(json, "placements").items()) {
      PlacementCorrection& placement = c.placements[name];
      read_fields(value, kPlacementFields, placement);
      placement.largest = Bytes{bounded(value, "largest_bytes")};
    }
    const Json& widths = member(json, "interval_90");
    read_widths(member(widths, "collectives"), c.collective_widths);
    read_widths(member(widths, "messages"), c.message_widths);
    return c;
  }

 private:
  // Products of a few of these must not overflow.
  [[nodiscard]] double bounded(const Json& json, const std::string& name) const {
    const double value = positive(json, name);
    if (value < 1 / kLargest || value > kLargest)
      fail_at(json, name, "is not a number above 0, or too large");
    return value;
  }
  template <class Owner, std::size_t N>
  void read_fields(const Json& json, const std::array<Field<Owner>, N>& fields, Owner& owner) const {
    for (const auto& field : fields) owner.*field.member = bounded(json, field.name);
  }
  void read_widths(const Json& json, std::array<Width, kKnown.size()>& widths) const {
    constexpr double kWidest = 50;  // of a logarithm: e^50 times a time is still a number
    for (std::size_t i = 0; i < widths.size(); ++i) {
      read_fields(member(json, kKnown.at(i)), kWidthFields, widths.at(i));
      if (widths.at(i).near_launch > kWidest || widths.at(i).above > kWidest)
        fail_at(json, kKnown.at(i), "is too wide");
    }
  }
};

}  // namespace

Json to_json(const Calibration& c) {
  Json json = {{"schema", kSchema}, {"rows", c.rows}, {"launch_s", rounded(c.launch)}};
  json["card_exponent"] = rounded(c.card_exponent);
  json["architectures"] = Json::object();
  for (const auto& [name, factor] : c.architectures) json["architectures"][name] = rounded(factor);
  for (std::size_t i = 0; i < kWires.size(); ++i) {
    json["wires"][kWires.at(i)] = fields_json(c.wires.at(i), kWireFields);
  }
  json["systems"] = Json::object();
  for (const auto& [name, s] : c.systems) json["systems"][name] = fields_json(s, kSystemFields);
  json["placements"] = Json::object();
  for (const auto& [name, p] : c.placements) {
    json["placements"][name] = fields_json(p, kPlacementFields);
    json["placements"][name]["largest_bytes"] = p.largest.value;
  }
  json["interval_90"] = {{"collectives", widths_json(c.collective_widths)},
                         {"messages", widths_json(c.message_widths)}};
  return json;
}

Calibration calibration_from_json(const std::string& text, const std::string& file_name) {
  return CalibrationReader(file_name).read(parse_json(text, file_name));
}

const Calibration& builtin_calibration() {
  static constexpr std::initializer_list<EmbeddedFile> kCalibrations = {
#include "embedded_calibration.inc"
  };
  static const Calibration builtin = [] {
    Calibration read = prior_calibration();
    for (const EmbeddedFile& file : kCalibrations) {
      read = calibration_from_json(std::string(file.text), file.name);
    }
    return read;
  }();
  return builtin;
}

}  // namespace sextant::collectives
