// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <new>
#include <sstream>
#include <string_view>

#include "cli/output.hpp"
#include "cli/verb.hpp"
#include "registry/places.hpp"
#include "support/did_you_mean.hpp"
#include "support/former_names.hpp"
#include "support/safe_text.hpp"
#include "support/terminal.hpp"

namespace semblance::cli {
namespace {

constexpr std::array verbs = {
    Verb{"run", "FILE [options]", "run a pipeline", run_verb},
    Verb{"ablate", "FILE [options]", "run a study: all variants of a pipeline, and compare them",
         ablate_verb},
    Verb{"study", "status FOLDER [options]", "watch a study that many workers share", study_verb},
    Verb{"check", "FILE [options]", "find every error in a pipeline or study", check_verb},
    Verb{"plan", "FILE [options]", "show what a run would compute, reuse and need", plan_verb},
    Verb{"graph", "FILE [options]", "draw a pipeline as SVG or DOT", graph_verb},
    Verb{"predict", "MODEL [DATA | NODE=DATA... | --stdin] [options]",
         "apply a trained model to new data", predict_verb},
    Verb{"explain", "MODEL [DATA | NODE=DATA...] [--row N] [options]",
         "show why a trained model gives this result for a sample", explain_verb},
    Verb{"serve", "MODEL [options]", "answer requests for a model's predictions over HTTP",
         serve_verb},
    Verb{"export", "MODEL --to FORMAT [options]",
         "write a trained model as C, ONNX, or for LIBSVM or LIBLINEAR", export_verb},
    Verb{"import", "FILE --out MODEL [options]", "make a model from a file of LIBSVM or LIBLINEAR",
         import_verb},
    Verb{"suggest", "DATA [options]", "try suitable methods on your own data and compare them",
         suggest_verb},
    Verb{"compare", "DIR... [options]",
         "compare finished runs and studies in one table, with tests", compare_verb},
    Verb{"history",
         "list | show ID | tag ID TAG... | untag ID TAG... | note ID TEXT | rm ID | export "
         "[options]",
         "list, show, tag, remove or export past runs", history_verb},
    Verb{"board", "[FOLDER...] [options]", "show past and present runs on a page of this machine",
         board_verb},
    Verb{"data", "list | show NAME | get NAME... [options]",
         "list known data sets and download them", data_verb},
    Verb{"list", "[KIND] [options]", "list the available components", list_verb},
    Verb{"describe", "ID|--all|--pages DIR|--schema [options]",
         "describe a component, or write the reference of all", describe_verb},
    Verb{"new-plugin", "KIND/NAME [options]", "create a project for your own component",
         new_plugin_verb},
    Verb{"check-plugin", "LIBRARY [options]", "check that a plugin's components behave as declared",
         check_plugin_verb},
    Verb{"doctor", "[options]", "show versions, plugins and the store, and what is wrong with them",
         doctor_verb},
};

void print_help() {
  fmt::print("usage: semblance COMMAND ...\n\n{}\n\n",
             wrapped("Large-margin learning with similarity measures, as dataflow pipelines.",
                     output_width(), 0));
  const auto show = [](const char* name, const char* summary) {
    fmt::print("{}\n", wrapped(fmt::format("  {:14}{}", name, summary), output_width(), 16));
  };
  for (const auto& verb : verbs) show(verb.name, verb.summary);
  if (in_source_tree()) {
    show("python", "start Python with the package semblance (in a source tree)");
    show("test", "run the tests (in a source tree)");
  }
  const std::string quickstart = "pipelines/quickstart.yaml";
  fmt::print("\nRun '{0} COMMAND --help' for details. Start with: {0} run {1}\n", called_program(),
             in_source_tree() ? quickstart : (shared_folder() / quickstart).string());
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
      arguments[0] == "help") {
    print_help();
    return arguments.empty() ? wrong_usage : done;
  }
  if (arguments[0] == "--version") {
    fmt::print("semblance {}\n", SEMBLANCE_VERSION);
    return done;
  }
  return verb_named(arguments[0]).run({arguments.begin() + 1, arguments.end()});
}

}  // namespace

const Verb& verb_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& verb : verbs) {
    if (name == verb.name) return verb;
    names.emplace_back(verb.name);
  }
  if (in_source_tree() && (name == "python" || name == "test"))
    throw UsageError("'" + name + "' is a command of the launcher; run ./semblance " + name);
  if (in_source_tree()) names.insert(names.end(), {"python", "test"});
  std::string known;
  for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
  const std::string suggestion = did_you_mean(name, names);
  throw UsageError("unknown command '" + name + "'; " +
                   (suggestion.empty() ? "choose" : suggestion + " Choose") + " from: " + known);
}

std::string option_text(const options::variables_map& values, const char* name) {
  return values.count(name) ? values[name].as<std::string>() : std::string();
}

std::vector<std::string> option_texts(const options::variables_map& values, const char* name) {
  return values.count(name) ? values[name].as<Texts>() : Texts();
}

options::positional_options_description any_arguments() {
  options::positional_options_description places;
  places.add("argument", -1);
  return places;
}

namespace {

/// "tag ID TAG..."
std::string usage_of(const Action& action) {
  std::string text = action.name;
  for (const std::string& argument : action.arguments) text += " " + argument;
  return text;
}

bool takes_option(const Action& action, const char* option) {
  return std::ranges::find(action.options, std::string_view(option)) != action.options.end();
}

}  // namespace

const Action& action_of(const Verb& verb, const std::vector<Action>& actions,
                        const options::variables_map& values) {
  const Texts given = option_texts(values, "argument");
  const auto named = std::ranges::find_if(
      actions, [&](const Action& action) { return !given.empty() && action.name == given[0]; });
  if (named == actions.end()) {
    Texts usages;
    for (const Action& action : actions) usages.push_back(usage_of(action));
    throw UsageError(std::string(verb.name) + (usages.size() > 1 ? " takes one of: " : " takes ") +
                     enumerate(usages) + (given.empty() ? "" : "; got '" + given[0] + "'"));
  }
  const std::size_t wanted = named->arguments.size(), there = given.size() - 1;
  const bool more = wanted > 0 && named->arguments.back().ends_with("...");
  if (there < wanted || (there > wanted && !more))
    throw UsageError(
        (there < wanted ? named->arguments[there] + " is missing; " : "too many arguments; ") +
        "usage: semblance " + verb.name + " " + usage_of(*named));
  for (const Action& other : actions)
    for (const char* option : other.options)
      if (values.count(option) && !takes_option(*named, option))
        throw UsageError(std::string("--") + option + " is for " + verb.name + " " + other.name +
                         ", not for " + named->name);
  return *named;
}

namespace {

/// The paragraphs above the options, wrapped unless they fit; lists with aligned columns stay.
std::string fitted(const std::string& text, std::size_t width) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const bool aligned = line.starts_with(' ') || line.find("  ") != std::string::npos;
    out += (aligned ? line : wrapped(line, width, 0)) + "\n";
  }
  return out;
}

void print_help(const Verb& verb, const options::options_description& described) {
  const std::size_t width = output_width();
  std::ostringstream printed;
  printed << described;
  const std::string text = printed.str();
  options::options_description all("options", static_cast<unsigned>(width),
                                   static_cast<unsigned>(width / 2));
  for (const auto& option : described.options()) all.add(option);
  all.add_options()("help,h", "show this help");
  std::cout << wrapped(std::string("usage: semblance ") + verb.name + " " + verb.arguments, width,
                       4)
            << "\n\n"
            << wrapped(verb.summary, width, 0) << "\n\n"
            << fitted(text.substr(0, text.find("options:\n")), width) << all;
}

}  // namespace

std::optional<options::variables_map> parse(const Verb& verb,
                                            const std::vector<std::string>& arguments,
                                            options::options_description& described,
                                            const options::positional_options_description& places) {
  options::options_description all;
  all.add(described).add_options()("help,h", "show this help");
  options::options_description hidden;
  hidden.add(all).add_options()("argument", options::value<std::vector<std::string>>());
  options::variables_map values;
  Texts warnings;
  const auto has = [&](const std::string& option) {
    return option.size() > 2 && hidden.find_nothrow(option.substr(2), false);
  };
  const Texts given = current_options(verb.name, arguments, has, warnings);
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
  try {
    const auto parsed =
        options::command_line_parser(given).options(hidden).positional(places).run();
    for (const auto& option : parsed.options)  // which Boost would take for 2^64 - 1
      if (option.string_key == "seed" && option.value.front().starts_with('-'))
        throw UsageError("--seed must not be negative, got " + option.value.front());
    options::store(parsed, values);
    options::notify(values);
  } catch (const options::too_many_positional_options_error&) {
    throw UsageError(std::string("too many arguments; usage: semblance ") + verb.name + " " +
                     verb.arguments);
  } catch (const options::unknown_option& problem) {
    const std::string& option = problem.get_option_name();
    const FormerName* former = former_option(verb.name, option);
    throw UsageError(former ? option + " " + former->state() + ": " + former->remedy()
                            : problem.what());
  } catch (const options::error& problem) {
    throw UsageError(problem.what());
  }
  if (!values.count("help")) return values;
  print_help(verb, described);
  return std::nullopt;
}

}  // namespace semblance::cli

namespace {

/// If one of the three standard descriptors is closed, a file opened later would take its place,
/// and messages would go into it.
void open_standard_descriptors() {
  int descriptor = -1;
  do {
    descriptor = ::open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) ::close(descriptor);
}

}  // namespace

int main(int count, char** values) {
  using namespace semblance::cli;
  using semblance::safe_text;
  open_standard_descriptors();
  // A file that exceeds the size limit becomes a failed write, with its message.
  ::signal(SIGXFSZ, SIG_IGN);
  // Components share the threads of their run: OpenBLAS needs neither threads of its own nor their
  // buffers.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  try {
    // A first "--" ends the program's own options; verbs end theirs in the same way.
    const int first = count > 1 && std::string_view(values[1]) == "--" ? 2 : 1;
    return dispatch({values + first, values + count});
  } catch (const UsageError& problem) {
    fmt::print(stderr, "semblance: {}\n", safe_text(problem.what()));
    return wrong_usage;
  } catch (const semblance::Cancelled&) {
    fmt::print(stderr,
               "semblance: stopped, by a signal or --deadline, before there were results\n");
    return failed;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "semblance: out of memory\n");
    return failed;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "semblance: {}\n", safe_text(problem.what()));
    return failed;
  }
}
