// sextant completion SHELL
#include "completion.h"

#include <memory>
#include <ostream>

#include "sextant/cli/command.h"
#include "sextant/cli/run.h"

namespace sextant::cli::command_completion {

std::vector<Command> plugin() {
  const auto shell = std::make_shared<std::string>();
  return {{.path = "completion",
           .wish = Wish::set_up,
           .summary = "completion script for a shell",
           .details = "",
           .examples = {"eval \"$(sextant completion bash)\""},
           .options = {{.name = "SHELL",
                        .summary = "which shell",
                        .target = shell.get(),
                        .positional = true,
                        .required = true,
                        .choices = {"bash", "zsh", "fish"}}},
           .run = [shell](const Io& io, const Globals&) {
             Globals defaults;
             const auto commands = all_commands();
             const auto globals = global_options(defaults);
             const auto script = *shell == "fish"  ? fish_completion
                                 : *shell == "zsh" ? zsh_completion
                                                   : bash_completion;
             io.out << script(commands, globals);
             return kDone;
           }}};
}

}  // namespace sextant::cli::command_completion
