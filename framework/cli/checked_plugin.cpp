// SPDX-License-Identifier: MIT
#include "cli/checked_plugin.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "cli/pipeline_options.hpp"
#include "cli/supervised_process.hpp"
#include "cli/verb.hpp"
#include "conformance/suite.hpp"
#include "reference/component_text.hpp"
#include "registry/component_info_json.hpp"
#include "registry/places.hpp"
#include "registry/plugin_library.hpp"
#include "study/check_pipeline.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
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

void tell_components(const PluginLibrary& plugin) {
  const auto& about = plugin.descriptor();
  send({"plugin", about.name, about.version, about.licence});
  for (const auto& entry : plugin.table().entries) send({"component", entry.info.id});
}

void check_component(const CheckWork& work, const PluginLibrary& plugin) {
  const Discovery others = told(semblance::discover(work.plugin_paths));
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

}  // namespace

std::string component_of_setting(const std::string& setting) { return parsed(setting).id; }

std::vector<std::string> CheckWork::arguments() const {
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

CheckWork CheckWork::from_arguments(const std::vector<std::string>& arguments) {
  const auto paths = arguments.begin() + 5;
  const auto settings = paths + std::stol(arguments.at(4));
  return {arguments.at(1),
          arguments.at(2),
          std::stoul(arguments.at(3)),
          {paths, settings},
          {settings, arguments.end()}};
}

int check_worker(const CheckWork& work) {
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);  // a crash is expected here, and reported
  try {
    // Never destroyed: what the plugin made may outlive everything else.
    const auto& plugin = *new PluginLibrary(work.library);
    if (work.component.empty())
      tell_components(plugin);
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

}  // namespace semblance::cli
