// SPDX-License-Identifier: MIT
#include "support/former_names.hpp"

#include <set>

namespace semblance {
namespace {

FormerName gone(const char* written, const char* advice) {
  return {.written = written, .since = "1.0", .advice = advice, .gone = true};
}

}  // namespace

std::vector<FormerName>& program_names() {
  static std::vector<FormerName> names = {
      gone("--checkpoint",
           "a run that was killed resumes after its last finished node; its training begins again"),
      gone("--collect",
           "workers that join write the results once all is done; `semblance study status` shows "
           "progress"),
      gone(
          "--jobs",
          "submit `semblance ablate STUDY --join FOLDER` with sbatch --array; see docs/studies.md"),
      gone("--man", "packaging/manual.sh makes manual pages, by help2man"),
      gone("--network",
           "plan --ranks shows rows and memory; docs/performance.md has the costs of messages"),
      gone(
          "--on",
          "submit `semblance ablate STUDY --join FOLDER` with sbatch --array; see docs/studies.md"),
      gone("--plugin-path",
           "compare reads what figures mean in the runs' folders; for those that do not say "
           "it, add --better lower or --better higher"),
      gone(
          "--slurm",
          "submit `semblance ablate STUDY --join FOLDER` with sbatch --array; see docs/studies.md"),
      gone("application/octet-stream", "send rows as text/csv or JSON, {\"rows\": array.tolist()}"),
      gone("application/x-npy", "send rows as text/csv or JSON, {\"rows\": array.tolist()}"),
      gone("new-plugin estimate_evaluator",
           "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::estimates>"),
      gone("new-plugin graph_feature",
           "begin with feature/NAME, say .accepts({LayoutKind::graph}), and read rows by "
           "GraphView, as "
           "graph_similarity/NAME does"),
      gone("new-plugin novelty_evaluator",
           "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::novelty>"),
      gone("new-plugin pair_evaluator",
           "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::pair_scores>"),
      gone("new-plugin sample_evaluator",
           "begin with evaluator/NAME, and derive from EvaluatorOf<PortType::samples>"),
  };
  return names;
}

const FormerName* former_option(const std::string& command, const std::string& option) {
  const FormerName* own = find_former(program_names(), command + " " + option);
  return own ? own : find_former(program_names(), option);
}

std::vector<std::string> current_options(const std::string& command,
                                         std::vector<std::string> arguments,
                                         const std::function<bool(const std::string&)>& has,
                                         std::vector<std::string>& warnings) {
  std::set<std::string> told;
  for (std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string option = argument.substr(0, argument.find('='));
    const FormerName* former = former_option(command, option);
    if (!former || former->gone) continue;
    if (!has(option) && !former->instead.empty())
      argument.replace(0, option.size(), former->instead);
    if (told.insert(option).second)
      warnings.push_back(option + " " + former->state() + ": " + former->remedy());
  }
  return arguments;
}

std::string package_of(std::string_view component) {
  return component == "source/molecules"
             ? "it reads molecules with RDKit: install the package semblance-molecules or, in a "
               "source tree, librdkit-dev, and build again"
             : "";
}

}  // namespace semblance
