// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/pipeline_options.hpp"
#include "cli/plugins/supervised_process.hpp"
#include "cli/verb.hpp"
#include "conformance/checks.hpp"
#include "reference/component_text.hpp"
#include "registry/component_info_json.hpp"
#include "registry/places.hpp"
#include "registry/plugin_library.hpp"
#include "registry/python_door.hpp"
#include "semblance/number_or_word.hpp"
#include "study/check_pipeline.hpp"

namespace semblance::cli {

namespace {

namespace fs = std::filesystem;

using Fields = std::vector<std::string>;

/// The first argument of a worker; users never type it.
inline constexpr const char* worker_mark = "--worker";

/// The work order of a started worker of `check-plugin`.
struct CheckWork {
  std::filesystem::path library;
  std::string component;        ///< empty: list the components
  std::size_t first_check = 0;  ///< of the component's checks; earlier ones have run
  std::vector<std::string> plugin_paths;
  std::vector<std::string> settings;  ///< KIND/NAME.PARAMETER=VALUE

  std::vector<std::string> arguments() const {
    std::vector<std::string> all = {"check-plugin",
                                    worker_mark,
                                    library.string(),
                                    component,
                                    std::to_string(first_check),
                                    std::to_string(plugin_paths.size())};
    all.insert(all.end(), plugin_paths.begin(), plugin_paths.end());
    all.insert(all.end(), settings.begin(), settings.end());
    return all;
  }

  static CheckWork from_arguments(const std::vector<std::string>& arguments) {
    const auto paths = arguments.begin() + 5;
    const auto settings = paths + std::stol(arguments.at(4));
    return {arguments.at(1),
            arguments.at(2),
            std::stoul(arguments.at(3)),
            {paths, settings},
            {settings, arguments.end()}};
  }
};

using conformance::Verdict;

/// One write per line, so that nothing is lost in a crash.
void send(const std::vector<std::string>& fields) {
  std::string line;
  for (const auto& field : fields) line += (line.empty() ? "" : "\t") + field;
  std::ranges::replace(line, '\n', ' ');
  line += '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const auto count =
        ::write(SupervisedProcess::report_descriptor, line.data() + sent, line.size() - sent);
    if (count <= 0) ::_exit(failed);  // the reader is gone
    sent += static_cast<std::size_t>(count);
  }
}

struct Setting {
  std::string id, parameter, value;
};

Setting parsed(const std::string& text) {
  const auto slash = text.find('/'), equals = text.find('=');
  const auto dot = slash == std::string::npos ? slash : text.find('.', slash);
  if (dot == std::string::npos || equals == std::string::npos || equals < dot)
    throw UsageError("--set takes KIND/NAME.PARAMETER=VALUE, not '" + text + "'");
  return {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)};
}

Value value_of(const Setting& setting, const ParameterInfo& parameter) {
  if (is_number_or_word(parameter))
    if (const auto number = number_given(setting.value)) return *number;
  if (parameter.type == ParameterType::text) return setting.value;
  if (parameter.type == ParameterType::path) return fs::absolute(setting.value).string();
  try {
    return value_from_json(nlohmann::ordered_json::parse(setting.value), parameter.type);
  } catch (const nlohmann::json::exception&) {
    throw UsageError("--set " + setting.id + "." + setting.parameter + " takes a value of type " +
                     name(parameter.type) + ", not '" + setting.value + "'");
  }
}

std::map<std::string, Value> given(const std::vector<std::string>& settings,
                                   const ComponentInfo& info) {
  std::map<std::string, Value> values;
  for (const auto& text : settings) {
    const Setting setting = parsed(text);
    if (setting.id != info.id) continue;
    const auto* parameter = info.parameter(setting.parameter);
    if (!parameter) throw UsageError(info.id + " has no parameter '" + setting.parameter + "'");
    values[setting.parameter] = value_of(setting, *parameter);
  }
  return values;
}

/// The plugin's own components come first; other components may be parameters of them.
Catalogue catalogue_with(const PluginLibrary& plugin, const fs::path& file,
                         const Discovery& others) {
  Catalogue all;
  const auto& about = plugin.descriptor();
  const auto origin = std::make_shared<const PluginOrigin>(
      PluginOrigin{about.name, about.version, about.licence, file, ""});
  for (const auto& entry : plugin.table().entries)
    all.add({entry.info, origin},
            [&entry](const ComponentConfig& config, const Catalogue& catalogue) {
              return create_component(entry, config, catalogue);
            });
  for (const auto* entry : others.catalogue.entries())
    if (!all.find(entry->info.id))
      all.add(*entry, [&others](const ComponentConfig& config, const Catalogue& catalogue) {
        return others.catalogue.create(config, catalogue);
      });
  return all;
}

/// Errors of an example in one line; line numbers start at the first node.
std::string in_one_line(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const auto& d : diagnostics) {
    if (d.severity != Severity::error) continue;
    const int line = d.position.line - 2;  // the name and `nodes:` come before
    text += (text.empty() ? "" : "; ") + (line > 0 ? "line " + std::to_string(line) + ": " : "") +
            d.message + (d.help.empty() ? "" : " (" + d.help + ")");
  }
  return text;
}

/// Checks that the example is a valid pipeline with the component in it; the data need not exist.
void check_example(const ComponentInfo& info, const Catalogue& catalogue) {
  if (info.example.empty()) throw conformance::NotApplicable("it has no example");
  conformance::require(info.example.find(info.id) != std::string::npos,
                       "it does not contain " + info.id);
  CheckOptions options;
  options.check_files = false;
  const PipelineCheck checked =
      check_pipeline(example_pipeline(info), "the example", catalogue, options);
  conformance::require(checked.pipeline.has_value(), in_one_line(checked.diagnostics));
}

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::failed:
      return "failed";
    case Verdict::not_applicable:
      return "skipped";
    case Verdict::remark:
      return "remark";
  }
  return "failed";
}

void print_components(const PluginLibrary& plugin) {
  const auto& about = plugin.descriptor();
  send({"plugin", about.name, about.version, about.licence});
  for (const auto& entry : plugin.table().entries) send({"component", entry.info.id});
}

void check_component(const CheckWork& work, const PluginLibrary& plugin) {
  const Discovery others = reported(semblance::discover(work.plugin_paths));
  const Catalogue catalogue = catalogue_with(plugin, work.library, others);
  const ComponentEntry& entry = plugin.entry(work.component);
  const conformance::Subject subject(entry, catalogue, given(work.settings, entry.info));
  auto checks = conformance::checks_of(subject);
  checks.push_back({"example", [&] { check_example(entry.info, catalogue); }});
  for (std::size_t i = work.first_check; i < checks.size(); ++i) {
    send({"begin", std::to_string(i), checks[i].name});
    const auto finding = conformance::run(checks[i]);
    if (finding.text.empty())
      send({name(finding.verdict)});
    else
      send({name(finding.verdict), finding.text});
  }
}

/// KIND/NAME of a setting. Throws UsageError if it does not have that form.
std::string component_of_setting(const std::string& setting) { return parsed(setting).id; }

/// Runs in the worker. Writes lines of fields, separated by tabs, to
/// SupervisedProcess::report_descriptor: `plugin NAME VERSION LICENCE`, `component ID`; for each
/// check `begin NUMBER NAME` and then `ok`, `failed WHY` or `skipped WHY`; `refused WHY` if
/// nothing can be checked; finally `end`.
int check_worker(const CheckWork& work) {
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);  // a crash is expected here, and reported
  try {
    // Never destroyed: what the plugin made may outlive everything else.
    const auto& plugin = *new PluginLibrary(work.library);
    if (work.component.empty())
      print_components(plugin);
    else
      check_component(work, plugin);
    send({"end"});
    return done;
  } catch (const UsageError& problem) {
    send({"misused", problem.what()});
  } catch (const std::exception& problem) {
    send({"refused", problem.what()});
  }
  return failed;
}

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
  std::map<std::string, std::string> first;  ///< check of a component that failed so
};

void print(Tally& tally, const std::string& verdict, const std::string& check,
           const std::string& why) {
  if (verdict == "failed" && !why.empty())
    if (const auto [first, fresh] = tally.first.emplace(why, check); !fresh)
      return fmt::print("  {:<8} {}: as '{}'\n", verdict, check, first->second);
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
  tally.first.clear();
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
  described.add_options()("plugin-path", takes<Texts>("PATH"),
                          "where to find components that its parameters need; may be repeated")(
      "set", takes<Texts>("KIND/NAME.PARAMETER=VALUE"),
      "a parameter value to check with instead of the default; may be repeated")(
      "timeout", takes<double>("SECONDS")->default_value(120), "time limit for each check");
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
