// Figures of a running program in the text form of Prometheus (exposition format 0.0.4): counters, gauges,
// histograms, each with labels. Safe to use from several threads.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sextant::http {

using Labels = std::vector<std::pair<std::string, std::string>>;

struct MetricInfo {
  enum class Kind { counter, gauge, histogram };
  std::string name;  // with its unit: "sextant_http_request_seconds"; a counter's ends in _total
  std::string help;
  Kind kind = Kind::counter;
  std::vector<double> buckets = {};  // upper ends, of a histogram
};

class Metrics {
 public:
  // Before its first value; a second declaration of the name is a bug (logic_error).
  void declare(const MetricInfo& info);
  void add(const std::string& name, const Labels& labels = {}, double value = 1);
  void set(const std::string& name, double value, const Labels& labels = {});
  void observe(const std::string& name, double value, const Labels& labels = {});
  [[nodiscard]] std::string text() const;

 private:
  struct Series {
    double value = 0;                 // sum, of a histogram
    std::vector<double> counts = {};  // by bucket, not cumulative; the last is above all
  };
  struct Family {
    MetricInfo info;
    std::map<Labels, Series> series;
  };
  Series& series_of(const std::string& name, const Labels& labels);

  mutable std::mutex mutex_;
  std::map<std::string, Family> families_;
};

inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace sextant::http
