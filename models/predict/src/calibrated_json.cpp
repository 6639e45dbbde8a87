// Calibrated devices as text: rates as plain values, the correction as points with their weights.
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/csv.h"
#include "sextant/core/json_reader.h"
#include "sextant/predict/calibrated_device.h"

namespace sextant::predict {
namespace {

constexpr const char* kSchema = "sextant.calibrated-device/1";

double short_number(double value) {
  return std::round(value * 1e4) / 1e4;  // of a coordinate: far below a length scale
}

Json cost_json(const CallCost& cost) {
  return {{"call_s", rounded(cost.call_s)},
          {"s_per_flop", rounded(cost.s_per_flop)},
          {"s_per_byte", rounded(cost.s_per_byte)}};
}

Json line_json(const PartLine& line) {
  return {{"scale", rounded(line.scale)},
          {"s_per_call", rounded(line.s_per_call)},
          {"s_per_parameter", rounded(line.s_per_parameter)},
          {"fixed_s", rounded(line.fixed_s)}};
}

Json regression_json(const OperatorRegression& r) {
  Json points = Json::array();
  for (std::size_t i = 0; i < r.points.rows(); ++i) {
    Json row = Json::array();
    for (const double x : r.points.row(i)) row.push_back(short_number(x));
    points.push_back(std::move(row));
  }
  Json weights = Json::array();
  for (const double w : r.weights) weights.push_back(rounded(w));
  return {{"cost", cost_json(r.cost)},
          {"offset", rounded(r.offset)},
          {"signal", r.smoothness.signal},
          {"noise", r.smoothness.noise},
          {"largest_flop", rounded(r.largest_flop)},
          {"points", std::move(points)},
          {"weights", std::move(weights)}};
}

Json device_json(const CalibratedDevice& device) {
  Json operators = Json::array();
  for (const auto& [kind, regression] : device.operators) {
    Json entry = {{"kind", kind.first}, {"direction", to_string(kind.second)}};
    entry.update(regression_json(regression));
    operators.push_back(std::move(entry));
  }
  return {{"threads", device.threads},
          {"networks", device.networks},
          {"most_samples", device.most_samples},
          {"half_width", rounded(device.half_width)},
          {"mean_error", rounded(device.mean_error)},
          {"fastest", rounded(device.fastest)},
          {"rest",
           {{"s_per_value", rounded(device.rest.s_per_value)}, {"fixed_s", rounded(device.rest.fixed_s)}}},
          {"forward", line_json(device.forward)},
          {"backward", line_json(device.backward)},
          {"other", cost_json(device.other)},
          {"update", regression_json(device.update)},
          {"operators", std::move(operators)}};
}

class DeviceReader : JsonReader {
 public:
  explicit DeviceReader(const std::string& file) : JsonReader(file) {}

  CalibratedDevices read(const Json& json) const {
    check_schema(json, kSchema, "a calibrated device", "sextant calibrate");
    const Json& entries = member(json, "devices");
    if (!entries.is_object()) fail("devices", "is not an object");
    CalibratedDevices devices;
    for (const auto& [id, entry] : entries.items()) devices[id] = device(entry);
    return devices;
  }

 private:
  [[nodiscard]] double not_negative(const Json& json, const std::string& name) const {
    const double value = number(json, name);
    if (value < 0) fail_at(json, name, "is negative");
    return value;
  }

  [[nodiscard]] const Json& any(const Json& json, const std::string& name) const {
    if (!json.is_object() || !json.contains(name)) fail_at(json, name, "is missing");
    return json.at(name);
  }

  [[nodiscard]] CallCost cost(const Json& json) const {
    return {not_negative(json, "call_s"), not_negative(json, "s_per_flop"), not_negative(json, "s_per_byte")};
  }

  [[nodiscard]] PartLine line(const Json& json) const {
    return {not_negative(json, "scale"), not_negative(json, "s_per_call"),
            not_negative(json, "s_per_parameter"), not_negative(json, "fixed_s")};
  }

  [[nodiscard]] std::vector<double> numbers(const Json& json, const std::string& name) const {
    if (!json.is_array()) fail(name, "is not a list");
    std::vector<double> values;
    for (const Json& value : json) {
      if (!value.is_number() || !std::isfinite(value.get<double>()))
        fail(name, "has an entry that is no number");
      values.push_back(value.get<double>());
    }
    return values;
  }

  [[nodiscard]] OperatorRegression regression(const Json& json) const {
    OperatorRegression r;
    r.cost = cost(member(json, "cost"));
    r.offset = number(json, "offset");
    r.smoothness = {positive(json, "signal"), positive(json, "noise")};
    r.largest_flop = not_negative(json, "largest_flop");
    r.weights = numbers(any(json, "weights"), "weights");
    const Json& points = any(json, "points");
    if (!points.is_array() || points.size() != r.weights.size() || points.empty()) {
      fail_at(json, "points", "is not a list of as many points as there are weights");
    }
    std::vector<std::vector<double>> rows;
    for (const Json& point : points) {
      rows.push_back(numbers(point, "points"));
      if (rows.back().size() != rows.front().size())
        fail_at(json, "points", "differ in their number of coordinates");
    }
    r.points = stats::Matrix::from_rows(rows);
    return r;
  }

  void read_operators(const Json& json, CalibratedDevice& device) const {
    if (!json.is_array()) fail("operators", "is not a list");
    for (const Json& entry : json) {
      const Json& kind = any(entry, "kind");
      const Json& direction = any(entry, "direction");
      if (!kind.is_string()) fail_at(entry, "kind", "is not text");
      if (direction != "forward" && direction != "backward")
        fail_at(entry, "direction", "is not forward or backward");
      device.operators[{kind.get<std::string>(),
                        direction == "forward" ? Direction::forward : Direction::backward}] =
          regression(entry);
    }
  }

  [[nodiscard]] CalibratedDevice device(const Json& json) const {
    CalibratedDevice d;
    d.threads = static_cast<std::int64_t>(std::min(positive(json, "threads"), 1e6));
    d.networks = static_cast<std::size_t>(std::min(not_negative(json, "networks"), 1e15));
    d.most_samples = positive(json, "most_samples");
    d.half_width = std::min(positive(json, "half_width"), 10.0);
    d.mean_error = not_negative(json, "mean_error");
    if (json.contains("fastest")) d.fastest = not_negative(json, "fastest");
    const Json& rest = member(json, "rest");
    d.rest = {not_negative(rest, "s_per_value"), not_negative(rest, "fixed_s")};
    d.forward = line(member(json, "forward"));
    d.backward = line(member(json, "backward"));
    d.other = cost(member(json, "other"));
    d.update = regression(member(json, "update"));
    if (d.update.points.columns() != 1)
      fail_at(json, "update", "has points of another number of coordinates than 1");
    read_operators(any(json, "operators"), d);
    return d;
  }
};

}  // namespace

Json to_json(const CalibratedDevices& devices) {
  Json entries = Json::object();
  for (const auto& [id, device] : devices) entries[id] = device_json(device);
  return {{"schema", kSchema}, {"devices", std::move(entries)}};
}

CalibratedDevices calibrated_devices_from_json(const std::string& text, const std::string& file_name) {
  return DeviceReader(file_name).read(parse_json(text, file_name));
}

CalibratedDevice load_calibration(const catalog::Gpu& gpu) {
  CalibratedDevices devices = calibrated_devices_from_json(read_text_file(gpu.calibration), gpu.calibration);
  const auto it = devices.find(gpu.id);
  if (it != devices.end()) return std::move(it->second);
  throw InputError({gpu.calibration}, "the file has no calibration of '" + gpu.id + "'",
                   "'sextant calibrate' makes one");
}

}  // namespace sextant::predict
