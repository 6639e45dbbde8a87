#include "sextant/report/net_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sextant/nets/builder.h"

namespace sextant::report {
namespace {

// conv 3->4 over 8x8, ReLU, and an operator that nobody knows.
struct Tiny {
  nets::Network network{.id = "tiny", .summary = "", .reference = "", .defaults = {}, .build = {}};
  nets::Graph graph;
  nets::GraphCost counted;

  Tiny() {
    nets::GraphBuilder g("tiny \"net\"");
    const nets::Tensor x =
        g.relu(g.conv(g.image(2, 3, 8, 8), 4, nets::square(3), {.padding = nets::pad_all(1)}));
    graph = g.finish(g.add(nets::Opaque{"GridSample", {2, 4, 8, 8}}, {x}));
    counted = cost(graph);
  }
  [[nodiscard]] ask::NetSummary summary() const {
    return {network, {2, 8, 0, 10}, Precision::fp32, graph, counted};
  }
};

TEST(NetReport, JsonTotalsAreTheSumOfItsOperators) {
  const Json json = to_json(net_result(Tiny().summary()));
  for (const char* key :
       {"parameters", "macs", "forward_flops", "backward_flops", "forward_bytes", "backward_bytes"}) {
    double sum = 0;
    for (const auto& op : json.at("operators")) sum += op.at(key).get<double>();
    EXPECT_EQ(json.at("totals").at(key).get<double>(), sum) << key;
  }
  // 3 * 3 * 3 * 4 weights and 4 biases; 2 * 8 * 8 * 4 outputs of 27 MACs.
  EXPECT_EQ(json.at("totals").at("parameters"), 112);
  EXPECT_EQ(json.at("totals").at("macs"), 2 * 8 * 8 * 4 * 27);
}

TEST(NetReport, UnknownOperatorsAreFlaggedEverywhere) {
  const Tiny tiny;
  EXPECT_EQ(to_json(net_result(tiny.summary())).at("unknown_operators"), Json({"GridSample"}));
  ASSERT_EQ(warnings(tiny.graph).size(), 1U);
  EXPECT_NE(warnings(tiny.graph)[0].find("GridSample"), std::string::npos);
}

TEST(NetReport, TableHasARowPerOperator) {
  const Tiny tiny;
  EXPECT_EQ(net_result(tiny.summary()).sections.at(0).table.rows.size(), tiny.graph.nodes.size());
}

TEST(NetReport, DotDrawsEveryEdgeAndEscapesNames) {
  const std::string dot = to_dot(Tiny().graph);
  EXPECT_TRUE(dot.starts_with("digraph \"tiny \\\"net\\\"\" {"));
  for (const char* edge : {"n0 -> n1;", "n1 -> n2;", "n2 -> n3;"})
    EXPECT_NE(dot.find(edge), std::string::npos);
}

}  // namespace
}  // namespace sextant::report
