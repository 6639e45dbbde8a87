// Work cut into pieces that do not depend on the number of threads: whatever they leave is put together in
// the order of the pieces.
#pragma once

#include <cstddef>
#include <functional>

namespace sextant::robust {

// work(piece) for each piece in [0, pieces), on so many threads; the first exception is thrown again.
void for_pieces(std::size_t pieces, std::size_t threads, const std::function<void(std::size_t piece)>& work);

struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t index = 0;
};
// [0, count) in blocks of `size`, the last one shorter.
void for_blocks(std::size_t count, std::size_t size, std::size_t threads,
                const std::function<void(const Block& block)>& work);

}  // namespace sextant::robust
