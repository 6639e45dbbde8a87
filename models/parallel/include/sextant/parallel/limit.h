// What keeps a job from running on some devices: why a strategy cannot be used, and why machines are not
// offered.
#pragma once

#include <string>

namespace sextant::parallel {

// link: nothing joins the nodes.
enum class Limit { memory, divisibility, batch, shape, link, device, price };

// In the words of users, who call that link the network.
std::string to_string(Limit limit);

}  // namespace sextant::parallel
