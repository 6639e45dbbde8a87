#include "sextant/ask/net_summary.h"

namespace sextant::ask {

NetSummary summarize_net(const NetSummaryQuestion& question) {
  NetSummary summary{.network = nets::find_network(question.net.name, at_field("net")),
                     .sizes = {},
                     .precision = parse_precision(question.precision, at_field("precision")),
                     .graph = {},
                     .cost = {}};
  summary.sizes = bind(summary.network, question.net.binding(question.batch));
  summary.graph = summary.network.build(summary.sizes);
  summary.cost = cost(summary.graph, summary.precision);
  summary.warnings = warnings(summary.graph);
  return summary;
}

}  // namespace sextant::ask
