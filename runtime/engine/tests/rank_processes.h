// Real processes for tests of what happens between processes: each rank is a fork that answers with a text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sextant::engine {

// fn(rank) in a process of its own for each rank; what it returns, or "error: …" with what it threw. Ranks
// that have not answered after `patience_s`, and those that are stopped once the ranks before them have
// answered, are killed and answer "killed".
std::vector<std::string> run_ranks(std::int64_t ranks, const std::function<std::string(std::int64_t)>& fn,
                                   double patience_s = 60);

// This program again under mpirun, with the test `name` alone and the given environment ("NAME=value");
// its exit code.
int run_under_mpi(std::int64_t ranks, const std::string& name, const std::string& btl,
                  const std::vector<std::string>& environment = {});

// The same without mpirun, for what a fork of a process with libtorch's threads cannot do: each rank is this
// program anew, SEXTANT_RANK says which.
void run_again(std::int64_t ranks, const std::string& name, const std::vector<std::string>& environment);

}  // namespace sextant::engine
