// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/checked_plugin.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/supervised_process.hpp"
#include "registry/python_door.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Fields = std::vector<std::string>;

Fields split(const std::string& line) {
  Fields fields(1);
  for (const char c : line) {
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  fields.resize(std::max<std::size_t>(fields.size(), 4));  // missing ones are empty
  return fields;
}

struct Tally {
  int passed = 0, failed = 0, skipped = 0, remarks = 0;
};

void print(Tally& tally, const std::string& verdict, const std::string& check,
           const std::string& why) {
  ++(verdict == "ok"        ? tally.passed
     : verdict == "skipped" ? tally.skipped
     : verdict == "remark"  ? tally.remarks
                            : tally.failed);
  fmt::print("  {:<8} {}{}{}\n", verdict, check, why.empty() ? "" : ": ", why);
  std::fflush(stdout);
}

/// Loads the library and prints the outcome. Returns the ids of its components, or nothing where it
/// cannot be loaded.
std::optional<Fields> components(const CheckWork& work, double seconds, Tally& tally) {
  SupervisedProcess process(work.arguments());
  Fields ids, about;
  while (const auto line = process.next_line(seconds)) {
    const Fields fields = split(*line);
    if (fields[0] == "plugin") about = fields;
    if (fields[0] == "component") ids.push_back(fields[1]);
    if (fields[0] == "refused") {
      print(tally, "failed", "loads", fields[1]);
      return std::nullopt;
    }
    if (fields[0] != "end") continue;
    print(tally, "ok", "loads",
          fmt::format("'{}' {} ({}) with {} component{}", about[1], about[2], about[3], ids.size(),
                      ids.size() == 1 ? "" : "s"));
    if (ids.empty()) print(tally, "failed", "components", "the plugin has no components");
    return ids;
  }
  print(tally, "failed", "loads", process.ending() + " during the check 'loads'");
  return std::nullopt;
}

/// Runs the checks from work.first_check on, up to a crash; then returns the number of the next
/// one.
std::optional<std::size_t> run_checks(const CheckWork& work, double seconds, Tally& tally) {
  SupervisedProcess process(work.arguments());
  std::size_t number = work.first_check;
  std::string check = "beginning";
  while (const auto line = process.next_line(seconds)) {
    const Fields fields = split(*line);
    if (fields[0] == "end") return std::nullopt;
    if (fields[0] == "misused") throw UsageError(fields[1]);
    if (fields[0] == "refused") {
      print(tally, "failed", check, fields[1]);
      return std::nullopt;
    }
    if (fields[0] == "begin") {
      number = std::stoul(fields[1]);
      check = fields[2];
    } else {
      print(tally, fields[0], check, fields[1]);
    }
  }
  print(tally, "failed", check, process.ending() + " during the check '" + check + "'");
  if (check == "beginning") return std::nullopt;
  return number + 1;
}

void check_component(CheckWork work, double seconds, Tally& tally) {
  fmt::print("\n{}\n", work.component);
  while (const auto next = run_checks(work, seconds, tally)) work.first_check = *next;
}

void check_settings(const CheckWork& work, const Fields& ids) {
  for (const auto& setting : work.settings)
    if (const auto id = component_of_setting(setting); std::ranges::find(ids, id) == ids.end())
      throw UsageError("the plugin has no component '" + id + "' whose parameter could be set");
}

int check(CheckWork work, double seconds) {
  Tally tally;
  fmt::print("{}\n", work.library.string());
  if (const auto ids = components(work, seconds, tally)) {
    check_settings(work, *ids);
    for (const auto& id : *ids) {
      work.component = id;
      check_component(work, seconds, tally);
    }
  }
  fmt::print("\n{} passed, {} failed, {} not applicable", tally.passed, tally.failed,
             tally.skipped);
  if (tally.remarks) fmt::print(", {} remark{}", tally.remarks, tally.remarks > 1 ? "s" : "");
  fmt::print("\n");
  return tally.failed ? failed : done;
}

}  // namespace

int check_plugin_verb(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == worker_mark)
    return check_worker(CheckWork::from_arguments(arguments));
  const Verb& verb = verb_named("check-plugin");
  options::options_description described("options", 100);
  described.add_options()("plugin-path",
                          options::value<std::vector<std::string>>()->value_name("PATH"),
                          "where to find components that its parameters need; may be repeated")(
      "set", options::value<std::vector<std::string>>()->value_name("KIND/NAME.PARAMETER=VALUE"),
      "a parameter value to check with instead of the default; may be repeated")(
      "timeout", options::value<double>()->value_name("SECONDS")->default_value(120),
      "time limit for each check");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const fs::path named = required_argument(*values, verb), library = find_python_file(named);
  if (library.empty())
    throw UsageError("no file '" + named.string() +
                     "'; name the plugin's library, such as build/libmine.so, or its file, such as "
                     "mine.py");
  const double seconds = (*values)["timeout"].as<double>();
  if (!(seconds > 0)) throw UsageError("--timeout must be a positive number of seconds");
  return check({fs::absolute(library), "", 0, option_texts(*values, "plugin-path"),
                option_texts(*values, "set")},
               seconds);
}

}  // namespace semblance::cli
