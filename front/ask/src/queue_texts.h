// How the texts of a question about queues become rates, times and numbers. InputError at the field.
#pragma once

#include <optional>
#include <string>

#include "sextant/ask/queue.h"

namespace sextant::ask {

Seconds queue_duration(const std::string& text, const std::string& field);
std::optional<Seconds> queue_duration(const std::optional<std::string>& text, const std::string& field);
Hertz queue_rate(const std::string& text, const std::string& field);
double queue_number(const std::string& text, const std::string& field);

queueing::WaitTargets queue_targets(const QueueQuestion& question);
void refuse_servers_beside_target(const QueueQuestion& question);
// The model that answers for several servers: M/M/1 is M/M/c, and all others are G/G/c.
queueing::QueueModel sized_model(queueing::QueueModel model);

// "unstable: the queue grows without bound, since utilisation 1.25 is not below 1 (M/M/1, 1 server); ...".
std::string overload_text(const queueing::QueueResult& result);
std::string shortfall_text(const queueing::Sizing& sizing);

}  // namespace sextant::ask
