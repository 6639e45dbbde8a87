#include "sextant/explore/space_toml.h"

#include <algorithm>

#include "sextant/core/plain_number.h"
#include "sextant/core/text.h"
#include "space_machines.h"

namespace sextant::explore {
namespace {

const std::vector<std::string> kKinds = {"integer", "real", "ordinal", "categorical", "machine"};

// Whether the key has a value of a type: by asking for it.
template <class Read>
bool reads(Read read) {
  try {
    read();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool is_integer(TomlSection& section, const std::string& key) {
  return reads([&] { (void)section.integer(key); });
}
bool are_numbers(TomlSection& section, const std::string& key) {
  return reads([&] { (void)section.numbers(key); });
}
bool are_texts(TomlSection& section, const std::string& key) {
  return reads([&] { (void)section.texts(key); });
}

class FactorReader {
 public:
  FactorReader(TomlSection& section, const MachineLookup& machines)
      : section_(section), machines_(machines) {}

  SearchFactor read() {
    factor_.name = section_.text("name");
    factor_.at = section_.where("name");
    if (!is_expression_name(factor_.name)) {
      throw InputError(factor_.at, "'" + factor_.name + "' is no name for a factor",
                       "letters, digits and '_', beginning with a letter: constraints and commands name it");
    }
    const std::string kind = kind_text();
    if (kind == "machine") {
      factor_.kind = FactorKind::categorical;
      read_machines(section_, machines_, factor_);
    } else if (kind == "integer" || kind == "real") {
      factor_.kind = kind == "integer" ? FactorKind::integer : FactorKind::real;
      read_range();
    } else {
      factor_.kind = kind == "ordinal" ? FactorKind::ordinal : FactorKind::categorical;
      read_levels();
      read_features();
    }
    factor_.log = section_.maybe_boolean("log").value_or(false);
    if (const auto when = section_.maybe_text("when")) {
      factor_.condition = Expression::parse(*when, section_.where("when"));
    }
    section_.finish();
    return std::move(factor_);
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& what,
                         const std::string& hint = {}) const {
    throw InputError(section_.where(key), "factor '" + factor_.name + "' " + what, hint);
  }

  // As written, or as the levels or the range show it.
  std::string kind_text() {
    const bool ranged = section_.has("low") || section_.has("high");
    if (ranged && section_.has("levels")) {
      fail("levels", "has levels and a range", "give 'levels', or 'low' and 'high'");
    }
    const std::optional<std::string> written = section_.maybe_text("kind");
    if (written) return checked_kind(*written, ranged);
    if (ranged) {
      return is_integer(section_, "low") && is_integer(section_, "high") ? "integer" : "real";
    }
    if (!section_.has("levels")) {
      throw InputError(section_.where(), "factor '" + factor_.name + "' has neither levels nor a range",
                       "give 'levels', or 'low' and 'high'");
    }
    return are_numbers(section_, "levels") ? "ordinal" : "categorical";
  }

  std::string checked_kind(const std::string& kind, bool ranged) {
    if (std::ranges::find(kKinds, kind) == kKinds.end()) {
      throw InputError(section_.where("kind"), "'" + kind + "' is no kind of factor",
                       name_hint(kind, kKinds));
    }
    const bool wants_range = kind == "integer" || kind == "real";
    if (wants_range && section_.has("levels")) {
      fail("levels", "is " + kind + " and has levels", "use kind = \"ordinal\" for chosen numbers");
    }
    if (!wants_range && ranged) {
      fail(section_.has("low") ? "low" : "high", "is " + kind + " and has a range", "give 'levels'");
    }
    return kind;
  }

  void read_range() {
    factor_.low = section_.number("low");
    factor_.high = section_.number("high");
    if (factor_.kind == FactorKind::integer) {
      factor_.step = static_cast<double>(section_.maybe_integer("step").value_or(1));
    } else if (section_.has("step")) {
      fail("step", "is real and has a step", "only integers have one; list chosen numbers as 'levels'");
    }
  }

  void read_levels() {
    if (are_numbers(section_, "levels")) {
      for (const double number : section_.numbers("levels"))
        factor_.levels.push_back(plain_number_text(number));
      return;
    }
    if (!are_texts(section_, "levels")) {
      fail("levels", "needs a list of numbers or of texts as levels", "[1, 2, 4] or [\"ring\", \"tree\"]");
    }
    factor_.levels = section_.texts("levels");
  }

  // [factor.features]: a list per feature, a number per level.
  void read_features() {
    if (!section_.has("features")) return;
    TomlSection features = section_.section("features");
    std::vector<std::vector<double>> columns;
    for (const std::string& name : features.keys()) {
      std::vector<double> column = features.numbers(name);
      if (column.size() != factor_.levels.size()) {
        throw InputError(features.where(name), "feature '" + name + "' of factor '" + factor_.name +
                                                   "' has " + std::to_string(column.size()) + " values for " +
                                                   std::to_string(factor_.levels.size()) + " levels");
      }
      if (!is_expression_name(name)) {
        throw InputError(features.where(name), "'" + name + "' is no name for a feature",
                         "letters, digits and '_', beginning with a letter");
      }
      factor_.features.names.push_back(name);
      columns.push_back(std::move(column));
    }
    factor_.features.values = stats::Matrix(factor_.levels.size(), columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (std::size_t r = 0; r < columns[c].size(); ++r) factor_.features.values(r, c) = columns[c][r];
    }
  }

  TomlSection& section_;
  const MachineLookup& machines_;
  SearchFactor factor_;
};

}  // namespace

SearchSpace read_space(TomlSection& root, const MachineLookup& machines) {
  std::vector<SearchFactor> factors;
  for (TomlSection& section : root.sections("factor")) {
    factors.push_back(FactorReader(section, machines).read());
  }
  std::vector<Expression> constraints;
  for (const std::string& text : root.maybe_texts("constraints")) {
    constraints.push_back(Expression::parse(text, root.where("constraints")));
  }
  if (factors.empty()) {
    throw InputError(root.where(), "there is no factor to choose", "add a table [[factor]] for each");
  }
  return {std::move(factors), std::move(constraints)};
}

}  // namespace sextant::explore
