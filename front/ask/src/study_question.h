// The study that a question means, and where it lives.
#pragma once

#include <string>

#include "sextant/ask/explore.h"

namespace sextant::ask {

// The file's study, or the one given inline, with what the question changes.
study::StudySpec study_of(const ExploreQuestion& question, const catalog::Catalog& catalog);
// Of a place that names a file. A seed of 0 leaves the study its own.
study::StudySpec study_in(const StudyPlace& place, std::uint64_t seed, const catalog::Catalog& catalog);

// `store`, else beside the study file: study.toml lives in study.sqlite.
std::string store_location(const StudyPlace& place);
// Where logs of trials go.
std::string runs_folder(const std::string& location, const study::StudySpec& study);

}  // namespace sextant::ask
