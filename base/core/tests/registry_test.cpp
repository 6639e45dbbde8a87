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

// "ResNet-50" is resnet50, as long as nothing else is.
TEST(Registry, SeparatorsDoNotMatterWhereOneIsLeft) {
  const Registry<Item> items("net", {{"resnet50", {}}, {"vit-b-16", {}}, {"a-bc", {}}, {"ab-c", {}}});
  EXPECT_EQ(items.get("ResNet-50").id, "resnet50");
  EXPECT_EQ(items.get("resnet_50").id, "resnet50");
  EXPECT_EQ(items.get("ViT-B/16").id, "vit-b-16");
  EXPECT_EQ(items.get("a-bc").id, "a-bc");
  EXPECT_THROW((void)items.get("abc"), InputError) << "either could be meant";
  EXPECT_EQ(items.find("resnet-50"), nullptr) << "who looks up an id has one";
}

TEST(Registry, SaysWhereAllNamesAre) {
  std::vector<Item> many;
  for (int i = 0; i < 20; ++i) many.push_back({"entry-number-" + std::to_string(i), {}});
  const Registry<Item> items("thing", many, "things");
  try {
    (void)items.get("foo");
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_EQ(error.hint(), "'sextant list things' names all");
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
