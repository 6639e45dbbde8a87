#include "decoder_aware.h"

namespace sextant::ask {
namespace {

// Stacks of other networks have timings of their own, and a strategy that is named is meant.
bool may_be_decoder(const jobs::Job& job) {
  const jobs::Layout usual;
  return job.mode == jobs::Mode::train && is_half(job.precision) && trains_decoders(job.stack) &&
         (job.layout.strategy == usual.strategy || job.layout.strategy == "data" ||
          job.layout.strategy == "auto");
}

}  // namespace

const nets::Network& DecoderAware::network(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto it = networks_.find(name);
  return it != networks_.end() ? it->second : networks_.emplace(name, nets::find_network(name)).first->second;
}

predict::Prediction DecoderAware::predict(const predict::Query& query) const {
  if (!may_be_decoder(query.job)) return other_.predict(query);
  const nets::Network& net = network(query.job.net);
  const DecoderFields nothing;
  if (!asks_for_decoder(net, query.job, nothing)) return other_.predict(query);
  return place_decoder({net, nothing, query.job, query.gpu}, catalog_).prediction;
}

}  // namespace sextant::ask
