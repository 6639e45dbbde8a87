// Allocation problems that Gavel's policies were given, from the records of its runs: which jobs were active,
// and the shares that came out. Speeds come from the throughput table.
#pragma once

#include <zlib.h>

#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sextant/schedule/policy.h"

namespace sextant::schedule::test {

struct RecordedProblem {
  ShareProblem problem = {};
  Shares shares = {};  // that Gavel found
};

class GavelRecords {
 public:
  // `types` in the order of the records' cluster, with their GPUs.
  GavelRecords(const std::string& table_file, const std::string& trace_file,
               std::vector<std::pair<std::string, double>> types)
      : types_(std::move(types)) {
    std::ifstream table(table_file);
    table_ = nlohmann::json::parse(table);
    std::ifstream trace(trace_file);
    for (std::string line; std::getline(trace, line);) read_job(line);
  }

  // Pairs of equal GPUs only for policies that pack; of long records one problem in `every`.
  std::vector<RecordedProblem> read(const std::string& allocations_file, bool pairs, std::size_t every = 1) {
    std::vector<RecordedProblem> out;
    std::istringstream lines(unpack(allocations_file));
    std::size_t seen = 0;
    for (std::string line; std::getline(lines, line); ++seen) {
      if (seen % every == 0) out.push_back(problem_of(nlohmann::json::parse(line), pairs));
    }
    return out;
  }

 private:
  struct Job {
    std::string key;  // of the table
    int kind = 0;     // equal where the keys are
    int gpus = 1;
    double weight = 1;
  };

  static std::string unpack(const std::string& file) {
    gzFile in = gzopen(file.c_str(), "rb");
    if (in == nullptr) throw std::runtime_error("cannot open " + file);
    std::string out;
    std::vector<char> buffer(1 << 16);
    for (int got = 0; (got = gzread(in, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;) {
      out.append(buffer.data(), static_cast<std::size_t>(got));
    }
    gzclose(in);
    return out;
  }

  void read_job(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
    if (cells.size() < 10) return;
    const std::string key = "('" + cells[0] + "', " + cells[6] + ")";
    const int kind = kinds_.emplace(key, static_cast<int>(kinds_.size())).first->second;
    jobs_.push_back({key, kind, std::stoi(cells[6]), std::stod(cells[7])});
  }

  const double* alone(const Job& job) {
    std::vector<double>& rate = rates_[{job.kind, -1}];
    if (rate.empty()) {
      for (const auto& type : types_)
        rate.push_back(table_.at(type.first).at(job.key).at("null").get<double>());
    }
    return rate.data();
  }

  // Of the first job beside the second.
  const double* beside(const Job& first, const Job& second) {
    std::vector<double>& rate = rates_[{first.kind, second.kind}];
    if (rate.empty()) {
      for (const auto& type : types_) {
        const auto& entries = table_.at(type.first).at(first.key);
        const auto found = entries.find(second.key);
        rate.push_back(found == entries.end() ? 0.0 : found->at(0).get<double>());
      }
    }
    return rate.data();
  }

  RecordedProblem problem_of(const nlohmann::json& line, bool pairs) {
    RecordedProblem out;
    ShareProblem& problem = out.problem;
    problem.now_s = line.at(0).get<double>();
    for (const auto& type : types_) {
      problem.types.push_back(type.first);
      problem.gpus.push_back(type.second);
      problem.price_usd_h.push_back(0);
    }
    std::map<int, std::size_t> place;
    for (const auto& entry : line.at(1).items()) {
      if (entry.key()[0] != '(') place.emplace(std::stoi(entry.key()), 0);
    }
    for (auto& entry : place) {
      const Job& recorded = jobs_.at(static_cast<std::size_t>(entry.first));
      entry.second = problem.jobs.size();
      ShareJob job;
      job.id = entry.first;
      job.gpus = recorded.gpus;
      job.weight = recorded.weight;
      job.rate = alone(recorded);
      problem.jobs.push_back(job);
    }
    if (pairs) add_pairs(problem);
    out.shares.reset(problem.jobs.size() + problem.pairs.size(), types_.size());
    for (const auto& entry : line.at(1).items()) store(entry.key(), entry.value(), place, out);
    return out;
  }

  void add_pairs(ShareProblem& problem) {
    pair_rows_.clear();
    for (std::size_t a = 0; a < problem.jobs.size(); ++a) {
      for (std::size_t b = a + 1; b < problem.jobs.size(); ++b) {
        if (problem.jobs[a].gpus != problem.jobs[b].gpus) continue;
        const Job& first = jobs_[static_cast<std::size_t>(problem.jobs[a].id)];
        const Job& second = jobs_[static_cast<std::size_t>(problem.jobs[b].id)];
        pair_rows_[{a, b}] = problem.jobs.size() + problem.pairs.size();
        problem.pairs.push_back({a, b, beside(first, second), beside(second, first)});
      }
    }
  }

  void store(const std::string& name, const nlohmann::json& shares, const std::map<int, std::size_t>& place,
             RecordedProblem& out) const {
    std::size_t row = 0;
    if (name[0] == '(') {
      const std::size_t a = place.at(std::stoi(name.substr(1)));
      const std::size_t b = place.at(std::stoi(name.substr(name.find(',') + 1)));
      const auto found = pair_rows_.find({a, b});
      if (found == pair_rows_.end()) return;
      row = found->second;
    } else {
      row = place.at(std::stoi(name));
    }
    for (std::size_t j = 0; j < types_.size(); ++j) {
      const auto found = shares.find(types_[j].first);
      if (found != shares.end()) out.shares.at(row, j) = found->get<double>();
    }
  }

  std::vector<std::pair<std::string, double>> types_;
  nlohmann::json table_;
  std::vector<Job> jobs_;
  std::map<std::string, int> kinds_;
  std::map<std::pair<int, int>, std::vector<double>> rates_;  // by kind, alone (-1) or beside another
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> pair_rows_;  // of the problem at hand
};

}  // namespace sextant::schedule::test
