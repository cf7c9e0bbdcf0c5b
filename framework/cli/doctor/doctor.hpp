// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
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
  void broken(std::string what, std::string advice) {
    findings_.push_back({Finding::Severity::broken, std::move(what), std::move(advice)});
  }
  void remark(std::string what, std::string advice) {
    findings_.push_back({Finding::Severity::remark, std::move(what), std::move(advice)});
  }

  /// Examines one section; an error in doing so is a finding, never fatal.
  void section(const std::string& name, const std::function<void(nlohmann::ordered_json&)>& look) {
    nlohmann::ordered_json facts = nlohmann::ordered_json::object();
    try {
      look(facts);
    } catch (const std::exception& problem) {
      broken(fmt::format("{}: {}", name, problem.what()), "see the message");
    }
    facts_[name] = std::move(facts);
  }

  bool all_well() const {
    return std::ranges::none_of(findings_, [](const Finding& finding) {
      return finding.severity == Finding::Severity::broken;
    });
  }
  const nlohmann::ordered_json& facts() const noexcept { return facts_; }
  const std::vector<Finding>& findings() const noexcept { return findings_; }

 private:
  nlohmann::ordered_json facts_ = nlohmann::ordered_json::object();
  std::vector<Finding> findings_;
};

/// The files of all loaded libraries; their names contain their versions.
std::set<std::string> loaded_libraries();

/// What plugins there are, and which of them cannot be used.
void examine_plugins(Examination& seen, const std::vector<std::string>& plugin_paths);

/// Loads one plugin and describes it in one line of JSON on the descriptor that SupervisedProcess
/// reads. Runs in a separate process, since a broken plugin may crash it.
int describe_plugin(const std::string& library);

}  // namespace semblance::cli
