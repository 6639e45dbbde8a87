// Reshape targets that an exporter has fixed at the file's batch and image size, carried over to
// the bound sizes.
#pragma once

#include <optional>
#include <vector>

#include "sextant/nets/shape.h"

namespace sextant::nets {

struct FixedReshape {
  Shape file_input;                  // at the file's sizes
  Shape file_output;                 // the same, reshaped
  std::vector<std::int64_t> target;  // as written: 0 and -1 included
  std::int64_t file_batch = 1;
  std::int64_t batch = 1;  // the bound one
};

// The output for an input of another size. Extents are matched in groups of equal product, from the
// front (the last one first where it is the same on both sides). What a group of the input has
// gained goes to the group's -1, else to the extent that is the file's batch, else to the first one;
// never to the last extent of all, features, when only the batch has grown. [1,256,6,6] to [1,-1]
// with a batch of 32 gives [32,9216]. Nothing if that does not divide.
std::optional<Shape> rebind_reshape(const FixedReshape& reshape, const Shape& input);

}  // namespace sextant::nets
