// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "cli/pipeline_options.hpp"
#include "export/imported_model.hpp"
#include "export/model_text.hpp"
#include "runtime/store/state_files.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> class_names(const std::vector<int>& labels) {
  std::vector<std::string> names;
  names.reserve(labels.size());
  for (const int label : labels) names.push_back(std::to_string(label));
  return names;
}

/// Whether a solver with default parameters can be asked what it takes.
bool has_defaults(const ComponentInfo& info) {
  return info.kind() == "solver" &&
         std::ranges::none_of(info.parameters, [](const ParameterInfo& p) {
           return p.required || p.type == ParameterType::component;
         });
}

/// The pipeline of a machine: that of the first solver, by id, that takes such machines.
template <class Takes, class Machine>
std::string pipeline_text(const Machine& machine, const Catalogue& catalogue) {
  for (const Catalogue::Entry* entry : catalogue.entries()) {
    if (!has_defaults(entry->info)) continue;
    std::unique_ptr<Component> solver;
    try {
      solver = catalogue.create({entry->info.id, {}, {}});
    } catch (const std::exception&) {
      continue;  // its plugin cannot be loaded, or it cannot be made
    }
    if (const auto* taking = dynamic_cast<const Takes*>(solver.get()))
      return "name: imported\nnodes:\n" + taking->nodes(machine);
  }
  throw Error(
      "no plugin has a solver that takes such a machine; semblance doctor says which plugins were "
      "found");
}

/// The number of values per row: from the file, or from the largest index that it uses.
std::size_t values_of_rows(const options::variables_map& values, std::size_t known, bool exact) {
  if (!values.count("features")) return known;
  const auto given = values["features"].as<std::int64_t>();
  constexpr std::int64_t most = 2147483645;
  if (given < 1 || given > most)
    throw UsageError(fmt::format("--features must be from 1 to {}, got {}", most, given));
  const auto wanted = static_cast<std::size_t>(given);
  if (exact && wanted != known)
    throw UsageError(
        fmt::format("--features {}: the file says that it has {}; omit it", wanted, known));
  if (wanted < known)
    throw UsageError(
        fmt::format("--features {}: the support vectors use the index {}", wanted, known));
  return wanted;
}

void import_libsvm(const std::string& text, const std::string& file,
                   const options::variables_map& values, const Catalogue& catalogue,
                   const RunOptions& settings, const fs::path& out) {
  LibsvmModelText read = parse_libsvm(text, file);
  read.machine.inputs = values_of_rows(values, read.machine.inputs, false);
  ImportedMachine machine{pipeline_text<TakesSupportVectors>(read.machine, catalogue),
                          "data",
                          "svm",
                          read.machine.inputs,
                          class_names(read.labels),
                          &read.machine,
                          nullptr};
  write_imported_model(machine, catalogue, settings, out);
  fmt::print("{}: LIBSVM's machine of {} classes, {} support vectors, rows of {} values\n",
             out.string(), read.labels.size(), read.machine.vectors(), read.machine.inputs);
  if (read.probabilities)
    fmt::print(stderr,
               "semblance: the model's probability parameters (probA, probB) were ignored: scores "
               "are votes, or decision values, as svm-predict uses without -b 1\n");
}

void import_liblinear(const std::string& text, const std::string& file,
                      const options::variables_map& values, const Catalogue& catalogue,
                      const RunOptions& settings, const fs::path& out) {
  const LiblinearModelText read = parse_liblinear(text, file);
  values_of_rows(values, read.machine.inputs, true);
  ImportedMachine machine{pipeline_text<TakesLiblinearMachine>(read.machine, catalogue),
                          "data",
                          "svm",
                          read.machine.inputs,
                          class_names(read.labels),
                          nullptr,
                          &read.machine};
  write_imported_model(machine, catalogue, settings, out);
  fmt::print("{}: LIBLINEAR's {} of {} classes, rows of {} values\n", out.string(),
             read.machine.solver, read.labels.size(), read.machine.inputs);
}

}  // namespace

int import_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("import");
  options::options_description described("options", 100);
  described.add_options()("out", takes("MODEL"), "the model folder to write")(
      "features", takes<std::int64_t>("N"),
      "for LIBSVM's files: number of values per row (default: the largest index of a support "
      "vector)");
  add_plugin_option(described);
  add_log_options(described);
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string file = required_argument(*values, verb);
  const fs::path out = option_text(*values, "out");
  if (out.empty()) throw UsageError("say where to write the model with --out MODEL");
  std::error_code failure;
  if (fs::exists(out, failure))
    throw UsageError("'" + out.string() + "' exists; name another folder with --out");
  if (!fs::is_regular_file(file, failure))
    throw UsageError("there is no file '" + file + "'; name a model file of LIBSVM or LIBLINEAR");
  RunOptions settings = run_options(*values);
  settings.out.clear();
  settings.use_cache = false;
  settings.quiet = true;
  const std::string text = read_whole_file(file);
  const bool linear = is_liblinear(text, file);
  const Discovery found = discover(*values);
  (linear ? import_liblinear : import_libsvm)(text, file, *values, found.catalogue, settings, out);
  return done;
}

}  // namespace semblance::cli
