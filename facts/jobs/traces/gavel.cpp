// Gavel's traces: a job a line, fields separated by tabs, no header. The number of fields tells the layout:
// 10 (Gavel), 7 (its older files) or 12 (Shockwave: mode and duration added).
#include <array>
#include <cmath>
#include <optional>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "trace_builder.h"

namespace sextant::jobs::trace_gavel {
namespace {

constexpr std::size_t kMostFields = 12;
constexpr std::size_t kNone = kMostFields;

// Places of the fields that matter.
struct GavelLayout {
  std::size_t fields, steps, gpus, arrival;
  std::size_t weight = kNone, slo = kNone, mode = kNone, duration = kNone;
};
constexpr std::array<GavelLayout, 3> kLayouts = {
    GavelLayout{.fields = 7, .steps = 4, .gpus = 6, .arrival = 5},
    GavelLayout{.fields = 10, .steps = 5, .gpus = 6, .arrival = 9, .weight = 7, .slo = 8},
    GavelLayout{.fields = 12,
                .steps = 5,
                .gpus = 6,
                .arrival = 11,
                .weight = 8,
                .slo = 9,
                .mode = 7,
                .duration = 10}};

const GavelLayout* layout_of(std::string_view line) {
  const auto fields = static_cast<std::size_t>(std::ranges::count(line, '\t')) + 1;
  const auto found = std::ranges::find(kLayouts, fields, &GavelLayout::fields);
  return found == kLayouts.end() ? nullptr : &*found;
}

class GavelReader {
 public:
  GavelReader(std::string text, const std::string& file)
      : text_(std::move(text)), file_(file), builder_(file, "gavel", WorkUnit::steps) {}

  Trace read() {
    std::size_t at = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    for (std::int64_t line = 1; at < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      std::string_view content = std::string_view(text_).substr(at, end - at);
      if (content.ends_with('\r')) content.remove_suffix(1);
      if (!trim(content).empty()) job(content, line);
      at = end + 1;
    }
    if (slo_without_duration_ > 0) {
      builder_.note(std::to_string(slo_without_duration_) +
                    " jobs have an SLO, a multiple of a duration that the file does not state: no deadline");
    }
    if (changing_batch_ > 0) {
      builder_.note(std::to_string(changing_batch_) +
                    " jobs change their batch size as they run (accordion, gns): taken as static");
    }
    return builder_.take();
  }

 private:
  void job(std::string_view line, std::int64_t number) {
    builder_.row();
    cut(line, number);
    const double arrival = value(layout_->arrival, "arrival", {.low = 0, .high = kLatestSecond});
    builder_.in_order(arrival, [&] { return where(layout_->arrival); });
    TraceJob job{.id = std::to_string(builder_.size()), .arrival_s = arrival, .line = number};
    job.gpus = static_cast<std::int32_t>(whole(layout_->gpus, "number of GPUs", {1, kMostTraceGpus}));
    job.model = builder_.model(model());
    job.work = whole(layout_->steps, "number of steps", {1, kMostWork});
    if (layout_->weight != kNone) {
      job.weight = value(layout_->weight, "priority weight", {.low = 1e-9, .high = 1e9});
    }
    if (layout_->duration != kNone) {
      job.estimate_s = value(layout_->duration, "duration", {.low = 0, .high = kLatestSecond});
      if (trim(fields_[layout_->mode]) != "static") ++changing_batch_;
    }
    if (layout_->slo != kNone) set_deadline(job);
    builder_.add(std::move(job));
  }

  std::string_view model() const {
    const std::string_view name = trim(fields_[0]);
    if (name.empty()) throw InputError(where(0), "this job has no type");
    if (name.find('\0') != std::string_view::npos) {
      throw InputError(where(0), "the line has a NUL byte, so this is not a text file");
    }
    return name;
  }

  // A factor of the duration; below zero: none.
  void set_deadline(TraceJob& job) {
    const double factor = value(layout_->slo, "SLO", {.low = -1e9, .high = 1e9});
    if (factor < 0) return;
    if (job.estimate_s > 0) {
      job.deadline_s = job.arrival_s + factor * job.estimate_s;
    } else {
      ++slo_without_duration_;
    }
  }

  void cut(std::string_view line, std::int64_t number) {
    std::size_t count = 0;
    for (std::size_t at = 0; at <= line.size(); ++count) {
      const std::size_t end = std::min(line.find('\t', at), line.size());
      if (count < kMostFields) fields_[count] = line.substr(at, end - at);
      at = end + 1;
    }
    if (layout_ == nullptr) layout_ = layout_of(line);
    if (layout_ != nullptr && count == layout_->fields) return;
    const std::string wanted = layout_ == nullptr ? "7, 10 or 12" : std::to_string(layout_->fields);
    throw InputError({file_, static_cast<int>(number), 1},
                     "this line has " + std::to_string(count) + " fields, and not " + wanted,
                     "fields are separated by tabs");
  }

  struct Range {
    double low, high;
  };
  double value(std::size_t field, const char* what, Range range) {
    const std::optional<double> number = to_number(trim(fields_[field]));
    if (number && *number >= range.low && *number <= range.high) return *number;
    throw InputError(where(field), "'" + std::string(fields_[field]) + "' is no " + what,
                     "a number from " + number_text(range.low) + " to " + number_text(range.high));
  }
  double whole(std::size_t field, const char* what, Range range) {
    const double number = value(field, what, range);
    if (number == std::floor(number)) return number;
    throw InputError(where(field), "'" + std::string(fields_[field]) + "' is no whole " + what);
  }

  [[nodiscard]] SourcePos where(std::size_t field) const {
    return position_in(text_, static_cast<std::size_t>(fields_[field].data() - text_.data()), file_);
  }

  std::string text_;
  const std::string& file_;
  TraceBuilder builder_;
  const GavelLayout* layout_ = nullptr;
  std::array<std::string_view, kMostFields> fields_ = {};
  std::int64_t slo_without_duration_ = 0;
  std::int64_t changing_batch_ = 0;
};

}  // namespace

std::vector<TraceFormat> plugin() {
  return {{{.id = "gavel",
            .summary = "Gavel and Shockwave: tab-separated, steps of named models",
            .reference = "Narayanan et al., OSDI 2020; Zheng et al., NSDI 2023"},
           {"shockwave"},
           [](std::string_view text) { return layout_of(first_line(text)) != nullptr; },
           [](std::string text, const std::string& file, const Parameters&) {
             return GavelReader(std::move(text), file).read();
           }}};
}

}  // namespace sextant::jobs::trace_gavel
