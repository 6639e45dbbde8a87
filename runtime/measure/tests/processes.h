// Shell scripts that take the place of sextant-worker, and a look around for what a test left behind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sextant/measure/supervisor.h"
#include "temporary_folder.h"

namespace sextant::measure::test {

// Functions for scripts: `beat N I` tells the driver that N beats and I iterations are done, `report` writes
// a sound report with iterations of $times, "1, 2" unless set, which are its losses too, `hang` waits for
// ever without another process; $folder and $SEXTANT_RANK are set.
std::filesystem::path write_script(const std::filesystem::path& folder, const std::string& body);

// A trial whose processes are scripts: settings that pass the checks, and little patience.
Trial script_trial(std::int64_t workers);

// Whatever this process starts from now on, and what that starts, carries a mark in its environment.
void mark_processes(const std::string& mark);
// Sockets of processes with the mark that somebody on another machine could connect to: "mpirun:
// 0.0.0.0:5100".
std::vector<std::string> open_to_others(const std::string& mark);
// Other processes with the mark, with their command lines; waits a moment for the kernel to clear away.
std::vector<std::string> left_running(const std::string& mark);

}  // namespace sextant::measure::test
