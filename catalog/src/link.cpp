#include "sextant/catalog/link.h"

namespace sextant {

std::string to_text(LinkKind kind) {
  return kind == LinkKind::kIntraNode ? "intra-node" : "network";
}

}  // namespace sextant
