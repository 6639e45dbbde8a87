// SkyPilot CSV laid over a small catalogue: any bytes either make a catalogue or an InputError.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sextant/catalog/catalog.h"
#include "small_catalog.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::catalog::Catalog base = sextant::catalog::small_catalog();
  const sextant::catalog::CatalogFile file{"gcp/vms.csv",
                                           std::string(reinterpret_cast<const char*>(data), size)};
  try {
    (void)sextant::catalog::overlay(base, std::span(&file, 1));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
