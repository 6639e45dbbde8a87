// Errors that point. Bad input throws InputError, caught once in main (exit code 2);
// "nothing fits" is an ordinary result, and a bug asserts.
#pragma once

#include <stdexcept>
#include <string>

namespace sextant {

// Where in the input something stands. Line and column count from 1; 0 means "not known", as for a whole
// file.
struct SourcePos {
  std::string file;
  int line = 0;
  int column = 0;
  bool field = false;  // `file` is the name of a field of a question, see at_field()

  [[nodiscard]] std::string str() const;
};

// A field of a question, by the name that the library gives it: "batch". Whoever asked says it in words of
// its own: the command line as --batch. In messages and hints a field stands between backticks, as `batch`,
// for the same reason.
SourcePos at_field(std::string name);

// gpus.toml:12:9: error: unknown GPU 'H10O'
//   hint: did you mean 'H100'?
class InputError : public std::runtime_error {
 public:
  InputError(const SourcePos& at, const std::string& what, const std::string& hint = {});
  explicit InputError(const std::string& what);  // no position: the caller adds one, or there is none

  [[nodiscard]] const SourcePos& where() const { return at_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  SourcePos at_;
  std::string message_;
  std::string hint_;
};

// Something outside the input failed: disk full, no permission, a database that is locked (exit 1).
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sextant
