// Runs a function in a process of its own and hands back the text that it returns. The child never
// reaches the test runner: an exception becomes its text, and it ends without destructors.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

namespace sextant::records::test {

inline void write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const auto written = write(fd, text.data() + done, text.size() - done);
    if (written <= 0) _exit(3);
    done += static_cast<std::size_t>(written);
  }
}

class Child {
 public:
  explicit Child(const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("no process");
    if (pid_ == 0) run(ends[1], work);
    close(ends[1]);
    from_ = ends[0];
  }
  ~Child() {
    if (from_ >= 0) result();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  std::string result() {
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = read(from_, buffer.data(), buffer.size())) > 0;) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    close(from_);
    from_ = -1;
    waitpid(pid_, nullptr, 0);
    return text;
  }

 private:
  [[noreturn]] static void run(int to, const std::function<std::string()>& work) {
    try {
      write_all(to, work());
    } catch (const std::exception& error) {
      write_all(to, std::string("exception: ") + error.what());
    }
    _exit(0);
  }

  pid_t pid_ = 0;
  int from_ = -1;
};

}  // namespace sextant::records::test
