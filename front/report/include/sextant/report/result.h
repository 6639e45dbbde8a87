// What a command answers, as a value: every front end takes it from here. In JSON it is always one object:
// its schema, the facts that are said once, and a list for each section.
#pragma once

#include <string>
#include <vector>

#include "sextant/report/fields.h"

namespace sextant::report {

struct Section {
  std::string key = {};    // of the list in JSON: "predictions"; none: it shows what JSON has elsewhere
  Table table = {};        // with the notes under it
  bool shown = true;       // on a screen and in Markdown; files always have it
  std::string title = {};  // above the table, where there are several
};

struct Result {
  std::string schema;  // "sextant.predictions/2": the number counts changes that break readers
  std::vector<Section> sections = {};  // the first is the answer: CSV is made of it alone
  // One row or none: members of the object in JSON. Where there are no sections, the facts are the answer.
  Table facts = {};
};

// That section first and shown alone: the answer to a narrower question. JSON has the others too.
Result only(Result result, std::size_t section);

Json to_json(const Result& result);

// The result with these columns alone, by key or title, in this order. Sections that have none of them go,
// but for those of sentences; where none has any, the facts are asked. InputError, at field "columns", for a
// name that is not found.
Result with_columns(const Result& result, const std::vector<std::string>& names);
// Those of the names that some section has.
std::vector<std::string> columns_there(const Result& result, const std::vector<std::string>& names);

}  // namespace sextant::report
