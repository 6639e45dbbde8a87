// The elements of a list of objects within a JSON document, one at a time: a long list never stands in memory
// as a whole, and each element comes with its line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sextant/core/json.h"

namespace sextant::jobs {

using TakeJsonItem = std::function<void(const Json& item, std::int64_t line)>;

// Calls `take` for each object of the list that the document, an object, holds under `key`. InputError with
// position for what is not JSON and for a document without that list.
void for_each_item(const std::string& text, const std::string& file, std::string_view key,
                   const TakeJsonItem& take);

// The member at "time.start"; null where there is none.
const Json* member_at(const Json& object, std::string_view path);
// The text there; empty where there is none, or none that is a text.
std::string text_at(const Json& object, std::string_view path);

}  // namespace sextant::jobs
