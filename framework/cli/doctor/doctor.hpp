// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace semblance::cli {

/// A problem, and how to fix it.
struct Finding {
  enum class Severity { remark, broken };
  Severity severity = Severity::remark;
  std::string what;
  std::string advice;
};

/// The doctor's results so far: facts by section, and findings.
class Examination {
 public:
  void broken(std::string what, std::string advice);
  void remark(std::string what, std::string advice);

  /// Examines one section; an error in doing so is a finding, never fatal.
  void section(const std::string& name, const std::function<void(nlohmann::ordered_json&)>& look);

  bool all_well() const;
  const nlohmann::ordered_json& facts() const noexcept { return facts_; }
  const std::vector<Finding>& findings() const noexcept { return findings_; }

 private:
  nlohmann::ordered_json facts_ = nlohmann::ordered_json::object();
  std::vector<Finding> findings_;
};

/// Facts and findings as text for a bug report, ending with the findings or "no problems found".
std::string text_of(const Examination& seen);
nlohmann::ordered_json json_of(const Examination& seen);

/// The sections.
void examine_program(Examination& seen);
void examine_machine(Examination& seen);
void examine_ranks(Examination& seen);
void examine_doors(Examination& seen);
void examine_plugins(Examination& seen, const std::vector<std::string>& plugin_paths);
void examine_data(Examination& seen, const std::string& data_option);
void examine_store(Examination& seen, const std::string& cache_option);

/// Loads one plugin and describes it in one line of JSON on the descriptor that SupervisedProcess
/// reads. Runs in a separate process, since a broken plugin may crash it.
int describe_plugin(const std::string& library);

}  // namespace semblance::cli
