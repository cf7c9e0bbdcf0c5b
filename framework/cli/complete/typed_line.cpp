// SPDX-License-Identifier: MIT
#include "cli/complete/typed_line.hpp"

#include <algorithm>
#include <utility>

namespace semblance::cli {

const options::option_description* option_named(const VerbHelp& help, const std::string& name) {
  for (const auto& option : help.options.options())
    if (option->long_name() == name) return option.get();
  return nullptr;
}

namespace {

bool takes_value(const options::option_description& option) {
  return option.semantic()->max_tokens() > 0;
}

}  // namespace

TypedLine typed_line(const Words& words) {
  const Verb& verb = verb_named(words.front());
  TypedLine line(verb, help_of(verb));
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool last = i + 1 == words.size();
    const std::size_t equals = word.find('=');
    if (!line.option.empty()) {
      if (last)
        line.typed = word;
      else
        line.options[std::exchange(line.option, "")].push_back(word);
    } else if (line.only_arguments || !word.starts_with("--") || word == "--") {
      if (last)
        line.typed = word;
      else if (word == "--")
        line.only_arguments = true;
      else if (!word.starts_with("-") || line.only_arguments)
        line.arguments.push_back(word);
    } else if (const std::string name = word.substr(2, equals - 2); equals != word.npos) {
      if (last) {
        line.option = name;
        line.prefix = word.substr(0, equals + 1);
        line.typed = word.substr(equals + 1);
      } else {
        line.options[name].push_back(word.substr(equals + 1));
      }
    } else if (last) {
      line.typed = word;
    } else if (const auto* option = option_named(line.help, name); option && takes_value(*option)) {
      line.option = name;
    }
  }
  return line;
}

std::vector<Words> argument_forms(const std::string& usage) {
  std::vector<Words> found(1);
  std::string word;
  bool of_option = false;
  const auto end_word = [&] {
    if (word.starts_with("--"))
      of_option = true;
    else if (!word.empty() && word != "options" && !std::exchange(of_option, false))
      found.back().push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < usage.size(); ++i) {
    const char c = usage[i];
    if (c == ' ' || c == '[' || c == ']' || c == '|') end_word();
    if (c == '|') {
      of_option = false;
      found.emplace_back();
    } else if (c != ' ' && c != '[' && c != ']') {
      word += c;
    }
  }
  end_word();
  std::erase_if(found, [](const Words& form) { return form.empty(); });
  return found;
}

}  // namespace semblance::cli
