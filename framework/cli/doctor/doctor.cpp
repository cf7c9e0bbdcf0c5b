// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "cli/doctor/examination.hpp"
#include "cli/verb.hpp"

namespace semblance::cli {
int doctor_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("doctor");
  if (arguments.size() == 2 && arguments[0] == "--load") return tell_of_plugin(arguments[1]);
  options::options_description described(
      "Shows everything a bug report needs: program, machine, libraries, plugins, data, store;\n"
      "then what is wrong and how to fix it. Exits with 1 if something is broken.\n\n"
      "options",
      100);
  described.add_options()("plugin-path",
                          options::value<std::vector<std::string>>()->value_name("PATH"),
                          "a plugin or a folder of plugins; may be repeated")(
      "data", options::value<std::string>()->value_name("DIR"), "the data folder")(
      "cache", options::value<std::string>()->value_name("DIR"), "the artifact store")("json",
                                                                                       "as JSON");
  const auto values = parse(verb, arguments, described, {});
  if (!values) return done;
  std::vector<std::string> plugin_paths;
  if (values->count("plugin-path"))
    plugin_paths = (*values)["plugin-path"].as<std::vector<std::string>>();
  Examination seen;
  examine_program(seen);
  examine_machine(seen);
  examine_ranks(seen);
  examine_doors(seen);
  examine_plugins(seen, plugin_paths);
  examine_data(seen, option_text(*values, "data"));
  examine_store(seen, option_text(*values, "cache"));
  if (values->count("json"))
    fmt::print("{}\n",
               json_of(seen).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  else
    fmt::print("{}", text_of(seen));
  return seen.all_well() ? done : failed;
}

}  // namespace semblance::cli
