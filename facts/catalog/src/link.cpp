#include "sextant/catalog/link.h"

namespace sextant::catalog {

std::string to_text(LinkKind kind) {
  return kind == LinkKind::intra_node ? "intra-node" : "network";
}

}  // namespace sextant::catalog
