#include "sextant/report/skypilot_task.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/json.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

// A text of JSON is one of YAML too.
std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// SkyPilot allows letters, digits and dashes, and wants a letter first.
std::string task_name(const std::string& net) {
  std::string name = "train";
  for (const char c : "-" + net) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) {
      name += c;
    } else if (name.back() != '-') {
      name += '-';
    }
  }
  while (name.back() == '-') name.pop_back();
  return name;
}

std::string expected_text(const plan::Offer& offer) {
  std::string text = human(offer.time) + " and " + human(offer.cost) + " expected, start included";
  if (std::isfinite(offer.time_high.value)) {
    text += "; 90 % of such jobs take " + human(offer.time_low) + " to " + human(offer.time_high);
  }
  return text;
}

// A provider that the catalogue knows is one that SkyPilot knows by the same name.
std::string resources_text(const plan::Offer& offer, const catalog::Catalog& catalog, bool spot) {
  const catalog::Machine& machine = catalog.machines.get(offer.pool.machine);
  std::string text = "resources:\n";
  if (catalog.providers.find(machine.cloud) != nullptr) {
    text += "  infra: " + quoted(machine.cloud + (offer.region.empty() ? "" : "/" + offer.region)) + "\n";
  } else {
    text += "  # Say where these machines are: infra: kubernetes, or ssh/<pool>.\n";
  }
  text += "  instance_type: " + quoted(machine.name) + "\n";
  if (!machine.accelerator.empty()) {
    text += "  accelerators: " + quoted(machine.accelerator + ":" + number_text(machine.gpu_count)) + "\n";
  }
  return text + "  use_spot: " + (spot ? "true" : "false") + "\n";
}

// What every node runs; SkyPilot sets the variables.
std::string run_text(const plan::Offer& offer, const ask::AdviseQuestion& question) {
  const std::string program = "train.py --batch-size " +
                              std::to_string(offer.global_batch / offer.pool.gpus) + " --epochs " +
                              number_text(question.epochs.value_or(1));
  const bool torch = fold_name(question.plan.job.stack).starts_with("pytorch");
  if (!torch) return "  python3 " + program + "\n";
  return "  torchrun --nnodes=\"$SKYPILOT_NUM_NODES\" --nproc_per_node=\"$SKYPILOT_NUM_GPUS_PER_NODE\" \\\n"
         "    --node_rank=\"$SKYPILOT_NODE_RANK\" --master_port=29500 \\\n"
         "    --master_addr=\"$(echo \"$SKYPILOT_NODE_IPS\" | head -n1)\" \\\n"
         "    " +
         program + "\n";
}

}  // namespace

std::string skypilot_task(const ask::AdviseAnswer& answer, const ask::AdviseQuestion& question,
                          const catalog::Catalog& catalog) {
  const plan::Offer& offer = answer.advice.ranked.front().offer;
  const std::string strategy =
      offer.step.strategy.empty() ? "one GPU" : offer.step.strategy + " (" + offer.step.degrees + ")";
  const bool torch = fold_name(question.plan.job.stack).starts_with("pytorch");
  return "# " + name_of(offer) + ", strategy: " + strategy + ".\n# " + expected_text(offer) +
         ".\n# Launch with: sky launch FILE. The commands of setup and run are examples: put yours in their "
         "place.\n"
         "name: " +
         task_name(question.plan.job.net.name) + "\nnum_nodes: " + std::to_string(offer.pool.nodes()) + "\n" +
         resources_text(offer, catalog, question.plan.spot) +
         "workdir: .\nsetup: |\n  python3 -m pip install " + (torch ? "torch torchvision" : "tensorflow") +
         "\nrun: |\n" + run_text(offer, question);
}

}  // namespace sextant::report
