// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli/study/status.hpp"
#include "cli/verb.hpp"
#include "report/metrics.hpp"

namespace semblance::cli {

int study_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("study");
  options::options_description described(
      "status FOLDER   what is done, what runs where, what failed and why, how long it will "
      "take\n\n"
      "FOLDER is that of semblance ablate STUDY --join FOLDER.\n\n"
      "options",
      100);
  described.add_options()("json", "status as JSON");
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  action_of(verb, {{"status", {"FOLDER"}}}, *values);
  const Texts given = option_texts(*values, "argument");
  const WorkFolder folder(std::filesystem::absolute(given[1]).lexically_normal());
  const StudyStatus found = study_status(folder);
  if (values->count("json"))
    fmt::print("{}", readable_json(status_json(found)));
  else
    print_status(found, folder);
  return done;
}

}  // namespace semblance::cli
