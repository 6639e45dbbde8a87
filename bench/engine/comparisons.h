// What the program compares; each prints its lines.
#pragma once

#include <string_view>

namespace sextant::bench {

void compare_training(std::string_view net);  // the trainer's loop against a bare one; empty: all networks
void compare_clients();  // a client of a federation: a chain of products against libtorch
void compare_gloo();     // starts a second process
void compare_mpi();      // under mpirun with two ranks

}  // namespace sextant::bench
