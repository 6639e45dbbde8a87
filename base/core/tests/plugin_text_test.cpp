#include "sextant/core/plugin_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace sextant {
namespace {

const PluginInfo kLas{
    .id = "las",
    .summary = "",
    .reference = "",
    .parameters = {seconds_parameter("quantum", "of a turn", {360, 1, 1e6}),
                   share_parameter("floor", "of the cluster", {0.5, 0, 1}),
                   flag_parameter("preempt", "1: stops others", false),
                   word_parameter("order", "of the queue", {"first", "last"}, "last"),
                   count_parameter("queues", "at least two", {3, 2, 9}, {{"few", 2}, {"many", 9}}),
                   bytes_parameter("bucket", "sent together", {1e6, 0, 1e12}),
                   text_parameter("label", "of the plot"),
                   number_parameter("power", "of the age", {1, 0, 4})}};

Parameters values_of(std::string_view text) {
  return parameters_of(kLas, split_plugin_text(text));
}

std::string error_of_text(std::string_view text) {
  try {
    (void)values_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PluginText, FallbacksForWhatIsNotGiven) {
  const Parameters parameters = values_of("las");
  EXPECT_EQ(parameters, Parameters(kLas));
  EXPECT_EQ(parameters.seconds("quantum"), Seconds{360});
  EXPECT_EQ(parameters.share("floor"), 0.5);
  EXPECT_FALSE(parameters.flag("preempt"));
  EXPECT_EQ(parameters.word("order"), "last");
  EXPECT_EQ(parameters.count("queues"), 3);
  EXPECT_EQ(parameters.bytes("bucket"), Bytes{1e6});
  EXPECT_EQ(parameters.text("label"), "");
  EXPECT_EQ(parameters.number("power"), 1);
}

TEST(PluginText, UnitsWhereTheParameterHasOne) {
  EXPECT_EQ(values_of("las:quantum=2min").seconds("quantum"), Seconds{120});
  EXPECT_EQ(values_of("las:quantum=90:bucket=25MB").bytes("bucket"), Bytes{25e6});
  EXPECT_NE(error_of_text("las:queues=2min").find("'2min' is not a number for parameter 'queues'"),
            std::string::npos);
}

TEST(PluginText, YesAndNo) {
  for (const char* yes : {"1", "true", "True"})
    EXPECT_TRUE(values_of(std::string("las:preempt=") + yes).flag("preempt")) << yes;
  for (const char* no : {"0", "false"})
    EXPECT_FALSE(values_of(std::string("las:preempt=") + no).flag("preempt")) << no;
  EXPECT_NE(error_of_text("las:preempt=maybe").find("true or false, 1 or 0"), std::string::npos);
}

TEST(PluginText, WordsByNameOrPlace) {
  enum class Order { first, last };
  EXPECT_EQ(values_of("las:order=first").word("order"), "first");
  EXPECT_EQ(values_of("las:order=0").one_of<Order>("order"), Order::first);
  EXPECT_EQ(values_of("las:queues=many").count("queues"), 9);
}

TEST(PluginText, InfiniteWhereTheBoundsAllowIt) {
  PluginInfo endless = kLas;
  endless.parameters[0].high = std::numeric_limits<double>::infinity();
  const Parameters parameters = parameters_of(endless, split_plugin_text("las:quantum=inf"));
  EXPECT_EQ(parameters.seconds("quantum"), Seconds{std::numeric_limits<double>::infinity()});
  EXPECT_THROW(values_of("las:quantum=inf"), InputError);
}

TEST(PluginText, RoundTrip) {
  for (const char* text : {"las:quantum=90", "las:preempt=1", "las:order=first:queues=many", "las:label=x"})
    EXPECT_EQ(plugin_text(kLas, values_of(text)), text);
  EXPECT_EQ(plugin_text(kLas, values_of("las:floor=0.5:preempt=false:order=last")), "las");
}

TEST(PluginText, BadText) {
  for (const char* text : {"", ":floor=1", "las:floor", "las:floor=2", "las:floor=x1", "las:flor=1",
                           "las:floor=nan", "las:floor=0.1:floor=0.2", "las:quantum=-1s", "las:queues=2.5",
                           "las:preempt=0.5", "las:order=middle", "las:order=2", "las:bucket=3s"}) {
    EXPECT_THROW(values_of(text), InputError) << text;
  }
}

// A slip in a plug-in does not pass for a value.
TEST(Parameters, UndeclaredNamesAndOtherTypesAreMistakesOfThePlugin) {
  Parameters parameters(kLas);
  EXPECT_THROW((void)parameters.seconds("quantom"), std::logic_error);
  EXPECT_THROW((void)parameters.number("quantum"), std::logic_error);
  EXPECT_THROW((void)Parameters().flag("preempt"), std::logic_error);
  EXPECT_THROW(parameters.set("label", 1), std::logic_error);
  EXPECT_THROW(parameters.set_word("order", "middle"), std::logic_error);
  parameters.set("queues", 4);
  parameters.set_word("order", "first");
  EXPECT_EQ(plugin_text(kLas, parameters), "las:order=first:queues=4");
}

}  // namespace
}  // namespace sextant
