// How fields and provenance stand in the database: JSON texts, numbers in their shortest exact form.
#pragma once

#include <string>
#include <vector>

#include "sextant/records/record.h"

namespace sextant::records {

std::string encode_fields(const std::vector<Field>& fields);
std::string encode_provenance(const Provenance& provenance);
std::string encode_inputs(const Provenance& provenance);

// InputError with `where` as the file's name when the text is not what the encoders write.
std::vector<Field> decode_fields(const std::string& text, const std::string& where);
Provenance decode_provenance(const std::string& text, const std::string& where);
std::vector<std::pair<std::string, std::string>> decode_inputs(const std::string& text,
                                                               const std::string& where);

}  // namespace sextant::records
