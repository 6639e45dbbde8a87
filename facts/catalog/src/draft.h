// A catalogue under construction: entries that remember where they were written, so that a bad
// reference can be reported at its place once everything has been read.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/error.h"

namespace sextant::catalog {

template <class Item>
struct Entry {
  Item item;
  std::function<SourcePos(std::string_view key)> where;
};

struct Draft {
  std::vector<Entry<Gpu>> gpus;
  std::vector<Entry<Cpu>> cpus;
  std::vector<Entry<Link>> links;
  std::vector<Entry<Machine>> machines;
  std::vector<std::string> warnings;
  std::vector<Entry<Provider>> providers = {};
};

// "p3.2xlarge" of "aws/p3.2xlarge".
std::string bare_name(const Machine&);

// Without the bare names, which finish() gives again: a new layer may make one ambiguous.
Draft to_draft(const Catalog&);

// Puts one layer over another. Files read into the same layer are peers: a name in two of them is an
// error. An entry of the new layer replaces the older one of the same id, and takes over aliases.
void lay_over(Draft& base, Draft layer);

// Checks and resolves the references, and names each machine by its bare name where that is unique.
Catalog finish(Draft);

}  // namespace sextant::catalog
