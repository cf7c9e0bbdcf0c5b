// SPDX-License-Identifier: MIT
#pragma once

#include <boost/program_options.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "semblance/error.hpp"

namespace semblance::cli {

/// Exit codes: scripts rely on them.
enum Exit { done = 0, failed = 1, wrong_usage = 2 };

/// Wrong arguments: exit code 2 and a pointer to --help.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// One command of the program.
struct Verb {
  const char* name;
  const char* arguments;  ///< "FILE [options]"
  const char* summary;    ///< one line
  int (*run)(const std::vector<std::string>& arguments);
};

int run_verb(const std::vector<std::string>& arguments);
int ablate_verb(const std::vector<std::string>& arguments);
int study_verb(const std::vector<std::string>& arguments);
int check_verb(const std::vector<std::string>& arguments);
int plan_verb(const std::vector<std::string>& arguments);
int graph_verb(const std::vector<std::string>& arguments);
int data_verb(const std::vector<std::string>& arguments);
int doctor_verb(const std::vector<std::string>& arguments);
int list_verb(const std::vector<std::string>& arguments);
int describe_verb(const std::vector<std::string>& arguments);
int compare_verb(const std::vector<std::string>& arguments);
int board_verb(const std::vector<std::string>& arguments);
int history_verb(const std::vector<std::string>& arguments);
int suggest_verb(const std::vector<std::string>& arguments);
int predict_verb(const std::vector<std::string>& arguments);
int explain_verb(const std::vector<std::string>& arguments);
int export_verb(const std::vector<std::string>& arguments);
int serve_verb(const std::vector<std::string>& arguments);
int import_verb(const std::vector<std::string>& arguments);
int new_plugin_verb(const std::vector<std::string>& arguments);
int check_plugin_verb(const std::vector<std::string>& arguments);

namespace options = boost::program_options;

/// Parses a verb's arguments. Prints the help for `--help`, and then returns nothing. Throws
/// UsageError in one sentence.
std::optional<options::variables_map> parse(const Verb& verb,
                                            const std::vector<std::string>& arguments,
                                            options::options_description& described,
                                            const options::positional_options_description& places);

/// A declaration of options that take a text, a number, or texts that may be repeated.
template <class Value = std::string>
auto* takes(const char* name) {
  return options::value<Value>()->value_name(name);
}
using Texts = std::vector<std::string>;

/// An option's text, or its texts; empty if not given.
std::string option_text(const options::variables_map& values, const char* name);
std::vector<std::string> option_texts(const options::variables_map& values, const char* name);

const Verb& verb_named(const std::string& name);

/// The kinds for which `new-plugin` has a template.
std::vector<std::string> template_kinds();

/// Any number of positional arguments.
options::positional_options_description any_arguments();

/// An action of a verb such as `history`.
struct Action {
  const char* name;
  std::vector<std::string> arguments = {};  ///< "ID"; one that ends with ... stands for several
  std::vector<const char*> options = {};    ///< those that not every action of the verb takes
};

/// The action that the positional arguments and the options ask for, whose name is the first of
/// `given`. Throws UsageError where there is none, or it does not take them.
const Action& action_of(const Verb& verb, const std::vector<Action>& actions,
                        const options::variables_map& values);

/// One of several choices by its word; nothing for another word.
template <class Choice>
std::optional<Choice> choice_named(const std::string& word,
                                   std::initializer_list<std::pair<const char*, Choice>> choices) {
  for (const auto& [known, choice] : choices)
    if (word == known) return choice;
  return std::nullopt;
}

}  // namespace semblance::cli
