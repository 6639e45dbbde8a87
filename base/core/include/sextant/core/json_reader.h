// Strict access to the parts of a JSON document of ours: what is missing or of another type is an InputError
// that names the file and the place, as in 'systems.dgx.host'. Readers of models derive from this.
#pragma once

#include <string>

#include "sextant/core/json.h"

namespace sextant {

// For files of fitted values: six digits are far finer than any of these is known, and read well.
double rounded(double value);

class JsonReader {
 protected:
  explicit JsonReader(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& where, const std::string& what,
                         const std::string& hint = {}) const;
  // At the member `name` of `holder`, by its place in the document.
  [[noreturn]] void fail_at(const Json& holder, const std::string& name, const std::string& what,
                            const std::string& hint = {}) const;
  // Of the whole document, which has to outlive the reading: places are found in it. `what` and `maker` for
  // people: "a stack", "sextant fit --method kernel".
  void check_schema(const Json& json, const std::string& schema, const std::string& what,
                    const std::string& maker) const;
  [[nodiscard]] const Json& member(const Json& json, const std::string& name) const;  // an object
  [[nodiscard]] double number(const Json& json, const std::string& name) const;       // finite
  [[nodiscard]] double positive(const Json& json, const std::string& name) const;

 private:
  std::string file_;
  mutable const Json* document_ = nullptr;  // since check_schema
};

}  // namespace sextant
