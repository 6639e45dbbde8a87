// A network of one's own: the calling thread, and what it starts, see a fresh loopback and nothing else, so
// that every socket there is theirs.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace sextant::measure::test {

// False where the kernel does not allow it (it takes root).
bool enter_own_network();
// Lines of the kernel's table of TCP sockets that listen or are connected, of this thread's network; waits so
// long for the kernel to clear away those of processes that have just ended.
std::vector<std::string> open_sockets(std::chrono::milliseconds patience = {});

}  // namespace sextant::measure::test
