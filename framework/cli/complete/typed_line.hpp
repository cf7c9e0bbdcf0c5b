// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/verb.hpp"

namespace semblance::cli {

using Words = std::vector<std::string>;

/// A command line up to its last word, which is still being typed.
struct TypedLine {
  TypedLine() = default;
  TypedLine(const Verb& typed_verb, VerbHelp typed_help)
      : verb(&typed_verb), help(std::move(typed_help)) {}

  const Verb* verb = nullptr;
  VerbHelp help;
  std::map<std::string, Words> options;  ///< the values given, by option
  Words arguments;
  std::string option;  ///< whose value is being typed; empty: an argument or an option's name
  std::string prefix;  ///< of the last word: "--set="
  std::string typed;   ///< the remainder of the last word
  bool only_arguments = false;  ///< after "--"

  std::string value(const char* option_name) const {
    const auto found = options.find(option_name);
    return found == options.end() ? "" : found->second.back();
  }
  Words values(const char* option_name) const {
    const auto found = options.find(option_name);
    return found == options.end() ? Words() : found->second;
  }
};

/// Reads the words after the program's name: a verb and at least the word being typed. Throws Error
/// for an unknown verb.
TypedLine typed_line(const Words& words);

/// Nothing where the verb has no such option.
const options::option_description* option_named(const VerbHelp& help, const std::string& name);

/// The forms of a verb's arguments, without options and their values: {{"list"}, {"show", "ID"}} of
/// "list | show ID [options]".
std::vector<Words> argument_forms(const std::string& usage);

}  // namespace semblance::cli
