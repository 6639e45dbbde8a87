#include "sextant/core/progress.h"

#include <ostream>

#include "sextant/core/unit_text.h"
#include "sextant/core/visible_text.h"

namespace sextant {
namespace {

using namespace std::chrono_literals;
constexpr auto kQuietStart = 2s;
constexpr auto kRedraw = 100ms;
constexpr const char* kEraseLine = "\r\x1b[K";

}  // namespace

LineProgress::LineProgress(std::ostream& out, Clock now)
    : out_(out), now_(now), start_(now()), last_(start_) {}

LineProgress::~LineProgress() {
  if (shown_) out_ << kEraseLine << std::flush;
}

void LineProgress::step(std::int64_t done, std::int64_t total, const std::string& note) {
  const auto now = now_();
  if (now - start_ < kQuietStart || (shown_ && now - last_ < kRedraw)) return;
  last_ = now;
  shown_ = true;
  out_ << kEraseLine << done << '/' << total;
  if (!note.empty()) out_ << "  " << visible(note);
  if (done > 0 && done < total) {
    const double spent = std::chrono::duration<double>(now - start_).count();
    const Seconds left{spent * static_cast<double>(total - done) / static_cast<double>(done)};
    out_ << "  " << human(left) << " left";
  }
  out_ << std::flush;
}

}  // namespace sextant
