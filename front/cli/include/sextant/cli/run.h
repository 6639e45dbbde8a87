// The whole program as a function: arguments in, exit code out.
#pragma once

#include <string>
#include <vector>

#include "sextant/cli/io.h"

namespace sextant::cli {

// 0 done, 1 failed, 2 bad usage or input, 3 infeasible, 130 interrupted.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInfeasible = 3;
inline constexpr int kInterrupted = 130;

int run(const std::vector<std::string>& arguments, const Io& io);

}  // namespace sextant::cli
