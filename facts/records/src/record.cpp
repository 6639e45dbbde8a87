#include "sextant/records/record.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "sextant/core/text.h"
#include "sextant/core/utf8.h"

namespace sextant::records {
namespace {

constexpr std::size_t kIdBytes = 16;

const FieldValue* find_field(const Record& record, std::string_view name) {
  const auto it = std::ranges::find(record.fields, name, &Field::name);
  return it == record.fields.end() ? nullptr : &it->value;
}

void check_text(const std::string& text, const std::string& what, const SourcePos& at) {
  if (text.find('\0') != std::string::npos) throw InputError(at, what + " holds a NUL byte");
  if (!is_utf8(text)) throw InputError(at, what + " is not UTF-8", "convert the file, e.g. with iconv");
}

void check_name(const std::string& name, const SourcePos& at) {
  check_text(name, "a field's name", at);
  if (name.empty()) throw InputError(at, "a field has no name");
  if (trim(name).size() != name.size()) {
    throw InputError(at, "field name '" + name + "' begins or ends with a blank");
  }
  if (name == "id" || name == "kind" || name.starts_with("provenance.")) {
    throw InputError(at, "field name '" + name + "' is reserved", "choose another, e.g. 'my-" + name + "'");
  }
}

void check_provenance(const Provenance& provenance, const SourcePos& at) {
  for (const auto* text :
       {&provenance.tool_version, &provenance.date, &provenance.host, &provenance.command}) {
    check_text(*text, "provenance", at);
  }
  for (const auto& [name, hash] : provenance.inputs) {
    check_text(name, "provenance", at);
    check_text(hash, "provenance", at);
  }
}

}  // namespace

std::string new_record_id() {
  std::array<unsigned char, kIdBytes> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) throw SystemError("no entropy for a record id");
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id;
  for (const unsigned char byte : bytes) {
    id += kHex[byte >> 4];
    id += kHex[byte & 15];
  }
  return id;
}

Record new_record(std::string kind, std::vector<Field> fields, Provenance provenance) {
  return {new_record_id(), std::move(kind), std::move(fields), std::move(provenance)};
}

bool is_record_id(std::string_view text) {
  return text.size() == 2 * kIdBytes && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void check_record(const Record& record, const SourcePos& at) {
  if (!is_record_id(record.id)) {
    throw InputError(at, "a record's id is 32 lower-case hexadecimal digits, not '" + record.id + "'");
  }
  check_text(record.kind, "a record's kind", at);
  if (trim(record.kind).empty()) throw InputError(at, "the record has no kind");
  if (record.fields.empty()) throw InputError(at, "the record has no fields");
  std::set<std::string_view> seen;
  for (const auto& [name, value] : record.fields) {
    check_name(name, at);
    if (!seen.insert(name).second) throw InputError(at, "field '" + name + "' stands twice in one record");
    if (const auto* text = std::get_if<std::string>(&value)) {
      check_text(*text, "field '" + name + "'", at);
    } else if (!std::isfinite(std::get<double>(value))) {
      throw InputError(at, "field '" + name + "' is " + number_text(std::get<double>(value)),
                       "leave out what could not be measured");
    }
  }
  check_provenance(record.provenance, at);
}

bool same_measurement(const Record& a, const Record& b) {
  return a.id == b.id && a.kind == b.kind && std::ranges::is_permutation(a.fields, b.fields);
}

std::optional<std::string> text_field(const Record& record, std::string_view name) {
  const FieldValue* value = find_field(record, name);
  if (value == nullptr) return std::nullopt;
  if (const double* number = std::get_if<double>(value)) return number_text(*number);
  return std::get<std::string>(*value);
}

}  // namespace sextant::records
