#include "sextant/core/plugin_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sextant {
namespace {

const PluginInfo kLas{.id = "las",
                      .summary = "",
                      .reference = "",
                      .parameters = {{"quantum", "s", 360, 1, 1e6}, {"floor", "share", 0.5, 0, 1}}};

std::vector<double> values_of(std::string_view text) {
  return parameter_values(kLas, split_plugin_text(text));
}

TEST(PluginText, NamesAlone) {
  EXPECT_EQ(values_of("las"), (std::vector<double>{360, 0.5}));
}

TEST(PluginText, TimesBecomeSeconds) {
  EXPECT_EQ(values_of("las:quantum=2min:floor=0.25"), (std::vector<double>{120, 0.25}));
}

TEST(PluginText, InfiniteWhereTheBoundsAllowIt) {
  PluginInfo endless = kLas;
  endless.parameters[0].high = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isinf(parameter_values(endless, split_plugin_text("las:quantum=inf"))[0]));
  EXPECT_THROW(values_of("las:quantum=inf"), InputError);
}

TEST(PluginText, RoundTrip) {
  EXPECT_EQ(plugin_text(kLas, values_of("las:quantum=90")), "las:quantum=90");
  EXPECT_EQ(plugin_text(kLas, values_of("las:floor=0.5")), "las");
}

TEST(PluginText, BadText) {
  for (const char* text : {"", ":floor=1", "las:floor", "las:floor=2", "las:floor=x1", "las:flor=1",
                           "las:floor=nan", "las:floor=0.1:floor=0.2", "las:quantum=-1s"}) {
    EXPECT_THROW(values_of(text), InputError) << text;
  }
}

}  // namespace
}  // namespace sextant
