#include "sextant/ask/queue.h"

#include "queue_forms.h"

namespace sextant::ask {

QueueAnswer queue(const QueueQuestion& question) {
  check_queue_fields(question);
  if (question.records) return queue_of_records(question);
  if (question.classes) return priority_queue(question);
  if (question.model == "mva") return closed_queues(question);
  if (question.model == "laws") return queue_laws(question);
  return open_queues(question);
}

}  // namespace sextant::ask
