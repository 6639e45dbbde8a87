#include "sextant/core/registry.h"

#include <gtest/gtest.h>

namespace sextant {
namespace {

struct Item {
  std::string id;
  std::vector<std::string> aliases;
};

TEST(Registry, FindsByIdAliasAndSpelling) {
  const Registry<Item> items("thing", {{"b-two", {"second"}}, {"a-one", {}}});
  EXPECT_EQ(items.all().front().id, "a-one");
  EXPECT_EQ(items.get("B_Two").id, "b-two");
  EXPECT_EQ(items.get("SECOND").id, "b-two");
  EXPECT_EQ(items.find("three"), nullptr);
}

TEST(Registry, UnknownNamesPointAndSuggest) {
  const Registry<Item> items("thing", {{"alpha", {}}});
  try {
    (void)items.get("alpah", at_field("thing"));
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "`thing`: error: unknown thing 'alpah'\n  hint: did you mean 'alpha'?");
  }
}

TEST(Registry, RefusesTwoEntriesOfOneName) {
  EXPECT_THROW((Registry<Item>("thing", {{"a", {"x"}}, {"b", {"X"}}})), InputError);
}

TEST(Registry, AnAliasMayRepeatItsOwnId) {
  EXPECT_NO_THROW((Registry<Item>("thing", {{"a-b", {"a_b"}}})));
}

}  // namespace
}  // namespace sextant
