// Checks a document's transcripts or an example: transcript [--update] PROGRAM ROOT SUBJECT SCRATCH.
// SUBJECT is a Markdown file or a folder examples/NAME with `command`, `expected` and, where the command
// fails on purpose, `expected_exit`. With --update the expected output is rewritten instead.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "shell.h"
#include "transcript.h"

namespace fs = std::filesystem;
namespace sextant::test {
namespace {

struct Task {
  bool update = false;
  fs::path program;
  fs::path root;
  fs::path subject;
  fs::path scratch;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

// Prints what differs; true when output and exit status are as expected.
bool agree(const std::string& where, const Step& step, const ShellResult& got) {
  const bool same_output = matches(step.expected, split_lines(got.output));
  if (same_output && got.exit_status == step.exit_status) return true;
  std::cout << where << ": $ " << step.command << "\n";
  if (got.exit_status != step.exit_status) {
    std::cout << "  exit status " << got.exit_status << ", expected " << step.exit_status << "\n";
  }
  if (!same_output) {
    for (const auto& line : step.expected) std::cout << "  - " << line << "\n";
    for (const auto& line : split_lines(got.output)) std::cout << "  + " << line << "\n";
  }
  return false;
}

int check_document(const Task& task) {
  Lines document = split_lines(read(task.subject));
  const auto steps = parse_transcript(document);
  if (fs::exists(task.root / "examples")) {
    fs::copy(task.root / "examples", task.scratch / "examples", fs::copy_options::recursive);
  }
  int failures = 0;
  int unmendable = 0;        // an update does not change what exit status is meant
  std::ptrdiff_t shift = 0;  // lines that earlier updates added
  for (Step step : steps) {
    const auto got = run_shell("{ " + step.command + "\n} 2>&1", task.scratch);
    const std::string where = task.subject.string() + ":" + std::to_string(step.output_line);
    if (agree(where, step, got)) continue;
    ++failures;
    unmendable += got.exit_status != step.exit_status;
    step.output_line = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(step.output_line) + shift);
    const Lines actual = split_lines(got.output);
    document = with_output(std::move(document), step, actual);
    shift += std::ssize(actual) - std::ssize(step.expected);
  }
  if (task.update && failures > 0) write(task.subject, join_lines(document));
  std::cout << steps.size() << " commands, " << failures << (task.update ? " rewritten\n" : " differ\n");
  return (task.update ? unmendable : failures) > 0 ? 1 : 0;
}

int check_example(const Task& task) {
  fs::copy(task.subject, task.scratch, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  Step step{.command = read(task.subject / "command"), .expected = {}};
  const fs::path expected = task.subject / "expected";
  if (fs::exists(expected) || !task.update) step.expected = split_lines(read(expected));
  if (fs::exists(task.subject / "expected_exit"))
    step.exit_status = std::stoi(read(task.subject / "expected_exit"));
  const auto got = run_shell("sh -eu command", task.scratch);
  if (agree(task.subject.string(), step, got)) return 0;
  if (task.update) write(expected, got.output);
  return task.update && got.exit_status == step.exit_status ? 0 : 1;
}

int run(const Task& task) {
  fs::remove_all(task.scratch);
  fs::create_directories(task.scratch);
  isolate_environment(fs::absolute(task.program), task.scratch);
  return fs::is_directory(task.subject) ? check_example(task) : check_document(task);
}

}  // namespace
}  // namespace sextant::test

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool update = !words.empty() && words[0] == "--update";
  if (update) words.erase(words.begin());
  if (words.size() != 4) {
    std::cerr << "usage: transcript [--update] PROGRAM ROOT SUBJECT SCRATCH\n";
    return 2;
  }
  try {
    return sextant::test::run({update, fs::absolute(words[0]), fs::absolute(words[1]), fs::absolute(words[2]),
                               fs::absolute(words[3])});
  } catch (const std::exception& error) {
    std::cerr << words[2] << ": " << error.what() << "\n";
    return 1;
  }
}
