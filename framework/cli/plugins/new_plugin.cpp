// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/verb.hpp"
#include "semblance/component_info.hpp"
#include "semblance/kind.hpp"
#include "support/did_you_mean.hpp"
#include "support/former_names.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Replacement = std::pair<std::string, std::string>;

/// A kind, or a variation of one: its folder, and the header with its base class.
struct Role {
  std::string folder, kind, header;
};

/// The header of the simplest base class for a component of this kind.
std::string header_of(const std::string& kind) {
  if (kind == "similarity") return "column_similarity";
  if (kind == "feature") return "row_feature";
  if (kind == "evaluator") return "label_evaluator";
  return kind;
}

std::vector<Role> roles() {
  std::vector<Role> all;
  for (const auto& kind : kinds()) all.push_back({kind, kind, header_of(kind)});
  all.push_back({"series_distance", "similarity", "distance"});
  all.push_back({"graph_similarity", "similarity", "row_similarity"});
  for (const char* solver : {"regressor", "novelty_detector", "pair_solver"})
    all.push_back({solver, "solver", solver});
  return all;
}

}  // namespace

/// The available templates: the kinds, plus similarities of series and graphs, and the other
/// interfaces of solvers.
std::vector<std::string> template_kinds() {
  std::vector<std::string> all;
  for (const Role& role : roles()) all.push_back(role.folder);
  return all;
}

namespace {

Role role_of(const std::string& folder) {
  for (const Role& role : roles())
    if (role.folder == folder) return role;
  if (const auto* former = find_former(program_names(), "new-plugin " + folder))
    throw UsageError("the template '" + folder + "' " + former->state() + ": " + former->remedy());
  const std::string suggestion = did_you_mean(folder, template_kinds());
  throw UsageError("unknown kind '" + folder + "'" + (suggestion.empty() ? "" : "; " + suggestion) +
                   "\nthere are: " + enumerate(template_kinds()));
}

void check_name(const std::string& name) {
  const bool letters =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
  if (name.empty() || !letters || name.front() < 'a' || name.back() == '_' ||
      name.find("__") != std::string::npos)
    throw UsageError("'" + name +
                     "' is not a valid component name: use lower-case letters, digits and single "
                     "underscores, starting with a letter, such as my_measure");
  // Names that CMake and make use for their own targets.
  constexpr std::array taken = {"all", "clean", "edit_cache", "help", "install", "package", "test"};
  if (std::ranges::find(taken, name) != taken.end())
    throw UsageError("the name '" + name + "' is reserved by the build; choose another");
}

/// my_measure -> MyMeasure
std::string camel_case(const std::string& name) {
  std::string result;
  bool first = true;
  for (const char c : name) {
    if (c != '_') result += first && c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    first = c == '_';
  }
  return result;
}

std::string replaced(std::string text, const std::vector<Replacement>& replacements) {
  for (const auto& [from, to] : replacements)
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(folder, problem)) files.push_back(item.path());
  if (files.empty())
    throw Error("the templates of new plugins are missing from '" + folder.string() +
                "'; on Debian they are in the package semblance-dev; elsewhere they come with an "
                "installation from source");
  std::ranges::sort(files);
  return files;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("the file '" + file.string() + "' cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The example in a component's declaration, as a pipeline.
std::string example_pipeline(const std::string& component) {
  const std::string begin = ".example(R\"(\n";
  const auto first = component.find(begin) + begin.size();
  std::istringstream lines(component.substr(first, component.find(")\")", first) - first));
  std::string text = "# The example of template_id.\nname: template_name\nseed: 1\nnodes:\n";
  for (std::string line; std::getline(lines, line);)
    text += "  " + line.substr(line.find_first_not_of(' ')) + "\n";
  return text;
}

/// Which component is wanted, from KIND/NAME with one of template_kinds(). Throws UsageError.
struct Wanted {
  explicit Wanted(const std::string& text) {
    const auto slash = text.find('/');
    if (slash == std::string::npos)
      throw UsageError("'" + text + "' is not KIND/NAME, such as similarity/my_measure");
    role = role_of(text.substr(0, slash));
    name = text.substr(slash + 1);
    check_name(name);
  }
  std::string id() const { return role.kind + "/" + name; }

  Role role;
  std::string name;
};

/// Writes a project for a new component into a folder that must not exist, from `templates`, which
/// has one subfolder per role, and `common`. In their names and texts `template_name` stands for
/// the component's name, `TemplateName` for the same in camel case. `prefix` is the CMake option
/// that finds the SDK, with a leading blank, or empty; `program` is the command of this program.
void write_project(const Wanted& wanted, const fs::path& templates, const fs::path& folder,
                   const std::string& prefix, const std::string& program) {
  std::error_code problem;
  if (fs::symlink_status(folder, problem).type() != fs::file_type::not_found)
    throw Error("'" + folder.string() +
                "' already exists and was not changed; choose another folder with --out");
  const std::vector<Replacement> replacements = {{"template_prefix", prefix},
                                                 {"template_program", program},
                                                 {"template_id", wanted.id()},
                                                 {"template_header", wanted.role.header},
                                                 {"template_version", SEMBLANCE_VERSION},
                                                 {"template_name", wanted.name},
                                                 {"TemplateName", camel_case(wanted.name)}};
  const fs::path own = templates / wanted.role.folder;
  std::vector<fs::path> files = files_of(templates / "common");
  for (const auto& file : files_of(own)) files.push_back(file);
  fs::create_directories(folder, problem);
  if (problem)
    throw Error("the folder '" + folder.string() + "' cannot be made: " + problem.message());
  const auto write_file = [&](const std::string& name, const std::string& text) {
    const fs::path file = folder / replaced(name, replacements);
    std::ofstream out(file, std::ios::binary);
    out << replaced(text, replacements);
    if (!out.flush()) throw Error("the file '" + file.string() + "' cannot be written");
  };
  for (const auto& file : files) write_file(file.filename().string(), content(file));
  write_file("pipeline.yaml", example_pipeline(content(own / "template_name.cpp")));
}

fs::path this_program() { return fs::read_symlink("/proc/self/exe"); }

/// The bare name if the shell finds this very program by it.
std::string program_command() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  const fs::path self = this_program();
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code problem;
    const fs::path candidate = fs::path(folder) / "semblance";
    if (!fs::exists(candidate, problem)) continue;
    return fs::equivalent(candidate, self, problem) ? "semblance" : quoted(self.string());
  }
  return quoted(self.string());
}

/// The option that CMake needs to find the SDK of this program; empty where CMake finds it without
/// one.
std::string prefix_option() {
  const fs::path prefix = this_program().parent_path().parent_path();
  if (prefix == "/usr" || prefix == "/usr/local") return "";
  return " " + quoted("-DCMAKE_PREFIX_PATH=" + prefix.string());
}

}  // namespace

int new_plugin_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("new-plugin");
  options::options_description described(
      "KIND is one of " + enumerate(template_kinds()) + ".\n\noptions", 100);
  described.add_options()("out", takes("DIR"),
                          "the folder to create (default: NAME in the current folder)");
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const Wanted wanted(required_argument(*values, verb));
  const fs::path folder = values->count("out") ? (*values)["out"].as<std::string>() : wanted.name;
  write_project(wanted,
                (this_program().parent_path() / "../share/semblance/templates").lexically_normal(),
                folder, prefix_option(), program_command());

  const std::string written = quoted(folder.string());
  const std::string build = quoted((folder / "build").string());
  fmt::print("{} is in {}. Next:\n", wanted.id(), folder.string());
  fmt::print("  cmake -G Ninja -S {} -B {}{} && cmake --build {}\n", written, build,
             prefix_option(), build);
  fmt::print("  ctest --test-dir {} --output-on-failure\n", build);
  fmt::print("  {} run {} --plugin-path {}\n", program_command(),
             quoted((folder / "pipeline.yaml").string()), build);
  return done;
}

}  // namespace semblance::cli
