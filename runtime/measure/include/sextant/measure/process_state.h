// What the kernel says of processes that somebody else started, from /proc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sextant::measure {

// 'R' running, 'S' sleeping, 'T' stopped, 'Z' ended but not waited for, …; 0: there is no such process.
char process_state(std::int64_t pid);
// Whether one of its command line's words begins with the text; tells a worker of this run from a process
// of another machine or time that had the same number.
bool has_word(std::int64_t pid, const std::string& start);
std::vector<std::int64_t> descendants(std::int64_t pid);

// Processes that the kernel killed for want of memory, since it booted.
std::int64_t out_of_memory_kills();

}  // namespace sextant::measure
