// Reads Gavel's table of throughputs as a stream, so that whatever is wrong has its place in the file:
// {type: {"('model', gpus)": {"null": steps/s, "('other', gpus)": [steps/s, steps/s of the other]}}}.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/jobs/throughputs.h"

namespace sextant::jobs {

class ThroughputParser {
 public:
  ThroughputParser(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  ThroughputTable parse();

 private:
  friend class ThroughputEvents;
  struct TypeRows {
    std::string name;
    bool spread = false;                       // "<type>_unconsolidated"
    std::map<std::size_t, double> alone = {};  // by key
    std::map<std::pair<std::size_t, std::size_t>, std::pair<double, double>> together = {};
    std::vector<bool> seen = {};  // keys that had their object
  };

  void type(const std::string& name);
  void job(const std::string& name);
  void other(const std::string& name);
  void alone(double value);
  void pair(double mine, double others);
  std::size_t key_of(const std::string& name);
  ThroughputTable table() const;
  void fill(ThroughputTable& table, const TypeRows& rows) const;
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const;

  const std::string& text_;
  const std::string& file_;
  std::size_t end_ = 0;  // of the last token that was read
  std::vector<TypeRows> types_;
  std::vector<ThroughputKey> keys_;
  std::map<ThroughputKey, std::size_t> places_;
  std::size_t job_ = 0;
  std::size_t other_ = 0;
  bool alone_next_ = false;
};

}  // namespace sextant::jobs
