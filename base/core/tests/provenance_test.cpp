#include "sextant/core/provenance.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "sextant/core/error.h"
#include "temporary_folder.h"

namespace sextant {
namespace {

TEST(Provenance, Sha256OfThePublishedTestVectors) {
  // FIPS 180-2, appendix B.
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Provenance, NamesToolSeedAndInputs) {
  Provenance from = provenance_now("sextant version", 7);
  from.inputs.emplace_back("a.csv", sha256_hex("abc"));
  const Json json = to_json(from);
  EXPECT_EQ(json.at("tool"), "sextant");
  EXPECT_EQ(json.at("version"), tool_version());
  EXPECT_EQ(json.at("seed"), 7);
  EXPECT_EQ(json.at("inputs").at(0).at("name"), "a.csv");
  EXPECT_EQ(json.at("date").get<std::string>().size(), std::string("2026-01-01T00:00:00Z").size());
}

TEST(Provenance, AFileHasTheHashOfItsContents) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "long").string();
  const std::string text(200'000, 'x');  // longer than what is read at a time
  std::ofstream(path) << text;
  EXPECT_EQ(sha256_of_file(path), sha256_hex(text));
  EXPECT_THROW((void)sha256_of_file(path + ".missing"), SystemError);
}

}  // namespace
}  // namespace sextant
