// The points of an input experiment: the full product of its factors, and the order of one repetition.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sextant/input/image_file.h"
#include "sextant/input/record_file.h"
#include "sextant/measure/input_experiment.h"

namespace sextant::measure {

// A format of the design, as it is written.
struct InputFormat {
  std::string name;
  bool images = false;
  input::ImageFormat image = input::ImageFormat::jpeg;
  input::RecordEncoding record = input::RecordEncoding::raw_u8;
};
InputFormat input_format(const std::string& name);  // InputError that lists them

// InputError for a factor without values, with one twice or out of range, and for more than can be done.
void check_input_design(const InputDesign& design);
std::vector<InputPoint> input_points(const InputDesign& design);
// Places in input_points(), in a drawn order that is another one for each repetition.
std::vector<std::size_t> input_order(std::size_t points, std::int64_t repetition, std::uint64_t seed);

}  // namespace sextant::measure
