// Hald's cement data (Draper and Smith, Applied Regression Analysis): 13 rows of x1..x4 and y.
#pragma once

#include "sextant/learn/method.h"

namespace sextant::learn::test {

inline Sample hald() {
  Sample sample;
  sample.columns = {{"x1", {}}, {"x2", {}}, {"x3", {}}, {"x4", {}}};
  sample.x = stats::Matrix::from_rows({{7, 26, 6, 60},
                                       {1, 29, 15, 52},
                                       {11, 56, 8, 20},
                                       {11, 31, 8, 47},
                                       {7, 52, 6, 33},
                                       {11, 55, 9, 22},
                                       {3, 71, 17, 6},
                                       {1, 31, 22, 44},
                                       {2, 54, 18, 22},
                                       {21, 47, 4, 26},
                                       {1, 40, 23, 34},
                                       {11, 66, 9, 12},
                                       {10, 68, 8, 12}});
  sample.y = {78.5, 74.3, 104.3, 87.6, 95.9, 109.2, 102.7, 72.5, 93.1, 115.9, 83.8, 113.3, 109.4};
  return sample;
}

}  // namespace sextant::learn::test
