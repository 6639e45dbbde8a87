// What the kernel says that this process sent: the sum of tcpi_bytes_sent over its TCP connections, which
// counts payload with retransmissions and without headers.
#pragma once

namespace sextant::engine {

double kernel_bytes_sent();

}  // namespace sextant::engine
