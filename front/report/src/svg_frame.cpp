#include "svg_frame.h"

namespace sextant::report::svg {
namespace {

std::string stroke_of(const AxisTick& tick) {
  return tick.label.empty() ? "stroke=\"#f2f2f2\"" : "stroke=\"#d9d9d9\"";
}

}  // namespace

Point Frame::at(double x_value, double y_value) const {
  return {left + wide * x.position(x_value), top + high * (1 - y.position(y_value))};
}

std::string Frame::grid() const {
  std::string out;
  const double bottom = top + high;
  for (const auto& tick : x.ticks) {
    const double at_x = left + wide * x.position(tick.value);
    out += line({at_x, top}, {at_x, bottom}, stroke_of(tick));
    if (!tick.label.empty()) out += text_at({at_x, bottom + 18}, tick.label, "text-anchor=\"middle\"");
  }
  for (const auto& tick : y.ticks) {
    const double at_y = top + high * (1 - y.position(tick.value));
    out += line({left, at_y}, {left + wide, at_y}, stroke_of(tick));
    if (!tick.label.empty()) out += text_at({left - 8, at_y + 4}, tick.label, "text-anchor=\"end\"");
  }
  return out + "<rect x=\"" + px(left) + "\" y=\"" + px(top) + "\" width=\"" + px(wide) + "\" height=\"" +
         px(high) + "\" fill=\"none\" stroke=\"#555555\"/>\n";
}

std::string Frame::labels(const std::string& title, const std::string& x_label,
                          const std::string& y_label) const {
  const double middle = left + wide / 2;
  const double centre = top + high / 2;
  const std::string turned = "rotate(-90 " + px(20) + " " + px(centre) + ")";
  return text_at({middle, 26}, title, "text-anchor=\"middle\" font-size=\"15\"") +
         text_at({middle, top + high + 46}, x_label, "text-anchor=\"middle\"") +
         text_at({20, centre}, y_label, "text-anchor=\"middle\" transform=\"" + turned + "\"");
}

}  // namespace sextant::report::svg
