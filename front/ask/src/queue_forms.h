// The forms that a question about queues can have, one function each.
#pragma once

#include "sextant/ask/queue.h"

namespace sextant::ask {

// InputError for a field that the model does not read, and for no model at all.
void check_queue_fields(const QueueQuestion& question);

QueueAnswer open_queues(const QueueQuestion& question);
QueueAnswer priority_queue(const QueueQuestion& question);
QueueAnswer closed_queues(const QueueQuestion& question);
QueueAnswer queue_laws(const QueueQuestion& question);
QueueAnswer queue_of_records(const QueueQuestion& question);

}  // namespace sextant::ask
