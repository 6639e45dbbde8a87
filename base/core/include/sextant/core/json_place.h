// Faults in the values of a JSON document that say where the value stands: 'fit.trees[3].left'. Readers throw
// JsonFault with the value in hand; whoever holds the whole document finds its place there by its address, so
// that nobody carries paths along while all is well.
#pragma once

#include <string>

#include "sextant/core/error.h"
#include "sextant/core/json.h"

namespace sextant {

// Names and numbers of elements on the way to `place`, which is a part of the document; empty for the
// document itself, and for what is no part of it.
std::string json_path(const Json& document, const Json& place);

class JsonFault : public InputError {
 public:
  // A member of `holder`, be it there or missing: "is missing", "is not a number".
  JsonFault(const Json& holder, const std::string& name, const std::string& what,
            const std::string& hint = {});
  // An element of a list, or any other value, whose list is called `name`.
  static JsonFault at_value(const Json& value, const std::string& name, const std::string& what);

  // The same fault with its file and with the place of the value.
  [[nodiscard]] InputError in(const Json& document, const std::string& file,
                              const std::string& hint = {}) const;

 private:
  struct Value {};
  JsonFault(Value, const Json& value, const std::string& name, const std::string& what);

  const Json* at_;
  std::string member_;  // of it; none: it is meant itself
  std::string what_;
};

// What `read` makes of the document. A fault says file and place; `hint` helps those that have none.
template <class Read>
auto read_document(const Json& document, const std::string& file, const std::string& hint, const Read& read) {
  try {
    return read(document);
  } catch (const JsonFault& fault) {
    throw fault.in(document, file, hint);
  } catch (const InputError& error) {
    if (!error.where().file.empty()) throw;
    throw InputError({file}, error.message(), error.hint().empty() ? hint : error.hint());
  }
}

}  // namespace sextant
