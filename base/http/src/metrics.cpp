#include "sextant/http/metrics.h"

#include <stdexcept>

#include "sextant/core/text.h"

namespace sextant::http {
namespace {

std::string escaped(const std::string& text, bool quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quotes) {
      out += "\\\"";
    } else {
      out += c;
    }
  }
  return out;
}

std::string label_text(const Labels& labels) {
  if (labels.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& [name, value] : labels) {
    parts.push_back(std::string(name).append("=\"").append(escaped(value, true)).append("\""));
  }
  return "{" + join(parts, ",") + "}";
}

const char* metric_kind(MetricInfo::Kind kind) {
  if (kind == MetricInfo::Kind::counter) return "counter";
  return kind == MetricInfo::Kind::gauge ? "gauge" : "histogram";
}

std::string sample_line(const std::string& name, const Labels& labels, double value) {
  return name + label_text(labels) + " " + number_text(value) + "\n";
}

}  // namespace

void Metrics::declare(const MetricInfo& info) {
  const std::lock_guard lock(mutex_);
  if (!families_.emplace(info.name, Family{info, {}}).second)
    throw std::logic_error("two metrics are called " + info.name);
}

Metrics::Series& Metrics::series_of(const std::string& name, const Labels& labels) {
  const auto family = families_.find(name);
  if (family == families_.end()) throw std::logic_error("no metric is called " + name);
  return family->second.series[labels];
}

void Metrics::add(const std::string& name, const Labels& labels, double value) {
  const std::lock_guard lock(mutex_);
  series_of(name, labels).value += value;
}

void Metrics::set(const std::string& name, double value, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  series_of(name, labels).value = value;
}

void Metrics::observe(const std::string& name, double value, const Labels& labels) {
  const std::lock_guard lock(mutex_);
  Series& series = series_of(name, labels);
  const std::vector<double>& buckets = families_.at(name).info.buckets;
  series.counts.resize(buckets.size() + 1);
  std::size_t at = 0;
  while (at < buckets.size() && value > buckets[at]) ++at;
  series.counts[at] += 1;
  series.value += value;
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& [name, family] : families_) {
    if (family.series.empty()) continue;
    out += "# HELP " + name + " " + escaped(family.info.help, false) + "\n";
    out += "# TYPE " + name + " " + metric_kind(family.info.kind) + "\n";
    for (const auto& [labels, series] : family.series) {
      if (family.info.kind != MetricInfo::Kind::histogram) {
        out += sample_line(name, labels, series.value);
        continue;
      }
      double total = 0;
      for (std::size_t i = 0; i < series.counts.size(); ++i) {
        total += series.counts[i];
        Labels with_end = labels;
        const bool last = i == family.info.buckets.size();
        with_end.emplace_back("le", last ? "+Inf" : number_text(family.info.buckets[i]));
        out += sample_line(name + "_bucket", with_end, total);
      }
      out += sample_line(name + "_sum", labels, series.value);
      out += sample_line(name + "_count", labels, total);
    }
  }
  return out;
}

}  // namespace sextant::http
