// What the program compares; each prints its lines.
#pragma once

namespace sextant::bench {

void compare_training();  // the trainer's loop against a bare one
void compare_gloo();      // starts a second process
void compare_mpi();       // under mpirun with two ranks

}  // namespace sextant::bench
