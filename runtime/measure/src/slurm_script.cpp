#include "slurm_script.h"

#include <algorithm>

#include "rank_environment.h"
#include "rank_shell.h"
#include "sextant/measure/transport.h"
#include "trial_layout.h"

namespace sextant::measure {
namespace {

std::string launch_line(const RunRequest& request) {
  std::vector<std::string> words;
  const bool mpi = transports().get(request.trial.transport).mpi && has_processes_that_talk(request.trial);
  if (mpi) {
    words = mpirun_words(request, MpirunPlace::allocation);
  } else {
    words = {"srun", "--kill-on-bad-exit=1", "--export=ALL"};
    words.push_back("--ntasks=" + std::to_string(rank_count(request.trial)));
    words.push_back("--cpus-per-task=" + std::to_string(request.trial.threads));
  }
  const char* variable = mpi ? "OMPI_COMM_WORLD_RANK" : "SLURM_PROCID";
  for (std::string& word : rank_command(request, variable)) words.push_back(std::move(word));
  return shell_line(words);
}

// The driver raises the number in `lease` every second.
std::string watch_lines() {
  return "watch() {\n"
         "  last=; same=0\n"
         "  trap 'kill $pause; exit' TERM\n"
         "  while [ $same -lt " +
         std::to_string(kLeaseSeconds) +
         " ]; do\n"
         "    now=$(cat lease 2>/dev/null)\n"
         "    if [ \"$now\" = \"$last\" ]; then same=$((same + 1)); else same=0; last=$now; fi\n"
         "    sleep 1 & pause=$!\n"
         "    wait $pause\n"
         "  done\n"
         "  kill -KILL $launcher\n"
         "  scancel --signal=KILL --full \"$SLURM_JOB_ID\"\n"
         "}\n";
}

}  // namespace

std::string slurm_script(const RunRequest& request) {
  return batch_script({.folder = request.folder.path(),
                       .tasks = rank_count(request.trial),
                       .cpus_per_task = request.trial.threads,
                       .environment = rank_environment(request.trial),
                       .launch = launch_line(request)});
}

std::string batch_script(const BatchScript& script) {
  std::string text = "#!/bin/sh\n";
  text += "#SBATCH --job-name=sextant --no-requeue\n";
  text += "#SBATCH --ntasks=" + std::to_string(script.tasks) +
          " --cpus-per-task=" + std::to_string(script.cpus_per_task) + "\n";
  for (const auto& [name, value] : script.environment) {
    text += "export " + name + "=" + shell_quoted(value) + "\n";
  }
  text += "cd " + shell_quoted(script.folder.string()) + " || exit 1\n";
  text += watch_lines();
  text += ": > started\n";
  text += script.launch + " > log.launcher 2>&1 &\n";
  text += "launcher=$!\nwatch &\nwatcher=$!\n";
  text += "wait $launcher\nstatus=$?\n";
  text += "echo $status > exit.launcher.new && mv exit.launcher.new exit.launcher\n";
  text += "kill $watcher\nwait $watcher\nexit $status\n";
  return text;
}

}  // namespace sextant::measure
