// How much room a text takes in a picture, and texts and lists of names that keep to the room there is.
// Widths are estimates on the safe side: those of DejaVu Sans, which is wider than most.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "svg_draw.h"

namespace sextant::report::svg {

double text_width(std::string_view text, double font_size);  // pixels, as all lengths here

// At most so many characters, the middle left out: names that begin alike often differ at their end.
std::string shortened(const std::string& name, std::size_t most);
// The same, to a width.
std::string shortened_to(const std::string& text, double font_size, double width);

// Names below each other beside a plot, each with a sample of what it names. Long names go on in a second
// line.
class NameList {
 public:
  NameList(std::span<const std::string> names, double font_size);

  [[nodiscard]] double wide() const;  // of the names, without the samples
  [[nodiscard]] double high() const;
  // `at` is where the first name begins; sample(i, y) draws what stands before name i.
  [[nodiscard]] std::string drawn(Point at,
                                  const std::function<std::string(std::size_t, double)>& sample) const;

 private:
  [[nodiscard]] double line_high() const;

  std::vector<std::vector<std::string>> names_;  // the lines of each
  double font_size_;
};

}  // namespace sextant::report::svg
