// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli/study/status.hpp"
#include "cli/verb.hpp"
#include "report/metrics.hpp"
#include "support/utc_time.hpp"

namespace semblance::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class StudyAction { status, collect, cancel };

/// Writes the finished results, as the workers' own command would.
int collect(const WorkFolder& folder, bool json) {
  const Json study = WorkFolder::read(folder.study_file());
  if (!study.is_object()) study_status(folder);  // reports that there is nothing
  auto arguments = study.at("call").at("arguments").get<std::vector<std::string>>();
  const Verb& verb = verb_named(arguments.at(0));
  arguments.erase(arguments.begin());
  arguments.insert(arguments.end(), {"--collect", "--quiet"});
  if (json) arguments.push_back("--json");
  return verb.run(arguments);
}

int cancel(const WorkFolder& folder) {
  const StudyStatus before = study_status(folder);
  WorkFolder::write(folder.cancel_file(), {{"at", utc_now()}});
  fmt::print("{} worker{} will stop within seconds; finished work is kept\n", before.workers,
             before.workers == 1 ? "" : "s");
  if (const std::size_t jobs = cancel_jobs(folder); jobs > 0)
    fmt::print("{} job{} cancelled\n", jobs, jobs == 1 ? "" : "s");
  return done;
}

int status(const WorkFolder& folder, bool json) {
  const StudyStatus found = study_status(folder);
  if (json)
    fmt::print("{}", readable_json(status_json(found)));
  else
    print_status(found, folder);
  return done;
}

}  // namespace

int study_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("study");
  options::options_description described(
      "status FOLDER   what is done, what runs where, what failed and why, how long it will take\n"
      "collect FOLDER  write the results of what is finished so far\n"
      "cancel FOLDER   end the workers and the jobs that were submitted; finished work is kept\n\n"
      "FOLDER is that of semblance ablate STUDY --join FOLDER, or of --on slurm --out FOLDER.\n\n"
      "options",
      100);
  described.add_options()("json", "status as JSON; with collect: print study.json");
  options::positional_options_description places;
  places.add("argument", 2);
  const auto values = parse(verb, arguments, described, places);
  if (!values) return done;
  const auto given = option_texts(*values, "argument");
  const std::string word = given.empty() ? "" : given.front();
  const auto action = choice_named<StudyAction>(word, {{"status", StudyAction::status},
                                                       {"collect", StudyAction::collect},
                                                       {"cancel", StudyAction::cancel}});
  if (!action)
    throw UsageError("study takes status, collect or cancel, and a FOLDER" +
                     (given.empty() ? "" : "; got '" + word + "'"));
  if (given.size() != 2)
    throw UsageError("a folder is missing: semblance study " + word + " FOLDER");
  const WorkFolder folder(std::filesystem::absolute(given[1]).lexically_normal());
  const bool json = values->count("json") > 0;
  switch (*action) {
    case StudyAction::status:
      return status(folder, json);
    case StudyAction::collect:
      return collect(folder, json);
    case StudyAction::cancel:
      break;
  }
  return cancel(folder);
}

}  // namespace semblance::cli
