// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>

#include "cli/output.hpp"
#include "cli/verb.hpp"
#include "support/atomic_file.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

/// Text as roff shows it unchanged; a blank line begins a paragraph.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool first = out.empty() || out.back() == '\n';
    if (first && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

std::string tagged(const std::string& tag, const std::string& text) {
  return ".TP\n" + tag + "\n" + text + "\n";
}

/// The day in a page's footer; a package's build sets it, so that it can be repeated.
std::string date() {
  std::time_t when = std::time(nullptr);
  if (const char* given = std::getenv("SOURCE_DATE_EPOCH"))
    when = static_cast<std::time_t>(std::atoll(given));
  std::tm day = {};
  ::gmtime_r(&when, &day);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &day);
  return text;
}

std::string page_name(const Verb& verb) { return std::string("semblance-") + verb.name; }

std::string head(const std::string& name, const std::string& summary) {
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return ".\\\" Written by semblance describe --man\n.TH " + roff(title) + " 1 " + date() +
         " \"Semblance " SEMBLANCE_VERSION "\" Semblance\n.SH NAME\n" + roff(name) + " \\- " +
         roff(summary) + "\n";
}

/// Usage with placeholders in italics: a word in capitals is one.
std::string usage(const Verb& verb) {
  std::string out = bold(std::string("semblance ") + verb.name) + " ";
  std::string word;
  const auto end_word = [&] {
    const bool placeholder = !word.empty() && std::isupper(static_cast<unsigned char>(word[0]));
    const bool literal = word.starts_with("--") || (!placeholder && word != "options");
    if (!word.empty()) out += placeholder ? italic(word) : literal ? bold(word) : roff(word);
    word.clear();
  };
  for (const char* c = verb.arguments; *c != 0; ++c) {
    if (std::string_view(" []|").find(*c) == std::string_view::npos) {
      word += *c;
    } else {
      end_word();
      out += *c;
    }
  }
  end_word();
  return out + "\n";
}

/// The paragraphs of a help. One whose lines have two columns becomes a list.
std::string paragraphs(const std::string& text) {
  std::string out;
  bool listed = false, begins = true;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    const std::size_t gap = line.find("  "), next = line.find_first_not_of(' ');
    if (next == line.npos) {
      begins = true;
      listed = false;
      continue;
    }
    if (gap != line.npos && gap > 0) {
      out += tagged(bold(line.substr(0, gap)), roff(line.substr(line.find_first_not_of(' ', gap))));
      listed = true;
    } else {
      if (begins && !listed) out += ".PP\n";
      out += roff(line.substr(next)) + "\n";
    }
    begins = false;
  }
  return out;
}

std::string option_entry(const options::option_description& option) {
  std::string tag = bold("--" + option.long_name());
  if (option.long_name() == "help") tag = bold("-h") + ", " + tag;
  std::string text = roff(option.description());
  if (option.semantic()->max_tokens() > 0) {
    const std::string value = option.semantic()->name();  // "DIR (=runs)"
    const std::size_t fallback = value.find(" (=");
    tag += " " + italic(value.substr(0, fallback));
    if (fallback != value.npos)
      text += "; default: " + roff(value.substr(fallback + 3, value.size() - fallback - 4));
  }
  return tagged(tag, text);
}

struct Variable {
  const char* option;  ///< the verbs with this option use it
  const char* name;
  const char* meaning;
};

constexpr Variable environment_variables[] = {
    {"data", "SEMBLANCE_DATA",
     "the folder of data sets, where relative data paths start, unless --data is given"},
    {"cache", "SEMBLANCE_CACHE", "the artifact store, unless --cache is given"},
    {"plugin-path", "SEMBLANCE_PLUGIN_PATH",
     "plugins and folders of plugins, separated by ':', searched after those of --plugin-path"}};

constexpr Variable used_files[] = {
    {"data", "~/.local/share/semblance",
     "the data folder, unless another is given; below $XDG_DATA_HOME where that is set"},
    {"cache", "~/.cache/semblance",
     "the artifact store, unless another is given; below $XDG_CACHE_HOME where that is set"},
    {"checkpoint", "runs/NAME-TIME/", "the results of a run without --out"},
    {"root", "runs/history.sqlite", "the history of runs"}};

/// A section with the entries of these options.
std::string section(const char* title, std::span<const Variable> all,
                    const std::vector<std::string>& of_options) {
  std::string text;
  for (const Variable& variable : all)
    if (std::ranges::find(of_options, variable.option) != of_options.end())
      text += tagged(bold(variable.name), roff(variable.meaning));
  return text.empty() ? "" : std::string(".SH ") + title + "\n" + text;
}

std::string exit_status() {
  return ".SH EXIT STATUS\n" + tagged(bold("0"), "success") +
         tagged(bold("1"), "a failure, or the end of a run that was stopped") +
         tagged(bold("2"), "wrong arguments, or an error in a pipeline or study: nothing was run");
}

std::string verb_page(const Verb& verb) {
  const VerbHelp help = help_of(verb);
  std::string text = head(page_name(verb), verb.summary) + ".SH SYNOPSIS\n" + usage(verb) +
                     ".SH DESCRIPTION\n" + roff(sentence(verb.summary)) + "\n" +
                     paragraphs(help.text) + ".SH OPTIONS\n";
  std::vector<std::string> names;
  for (const auto& option : help.options.options()) {
    text += option_entry(*option);
    names.push_back(option->long_name());
  }
  return text + exit_status() + section("ENVIRONMENT", environment_variables, names) +
         section("FILES", used_files, names) + ".SH SEE ALSO\n.BR semblance (1)\n";
}

std::string program_page() {
  std::string text =
      head("semblance", "large-margin classification with similarity measures") + ".SH SYNOPSIS\n" +
      bold("semblance") + " " + italic("COMMAND") + " ...\n.br\n" + bold("semblance --help") +
      " | " + bold("--version") + "\n.SH DESCRIPTION\n" +
      roff(
          "Semblance runs dataflow pipelines for large-margin classification with similarity "
          "measures. A pipeline is a YAML file of nodes; each node names a component and the "
          "nodes that it reads from. `semblance list` names the components, `semblance describe "
          "ID` "
          "tells their parameters; the book is in share/doc/semblance of the installation.") +
      "\n.SH COMMANDS\n";
  std::string pages;
  for (const Verb& verb : all_verbs()) {
    text += tagged(bold(verb.name), roff(sentence(verb.summary)));
    pages +=
        ".BR " + roff(page_name(verb)) + " (1)" + (&verb == &all_verbs().back() ? "" : ",") + "\n";
  }
  const std::vector<std::string> all = {"data", "cache", "plugin-path", "checkpoint", "root"};
  return text + exit_status() + section("ENVIRONMENT", environment_variables, all) +
         section("FILES", used_files, all) + ".SH EXAMPLES\n" +
         "Run a pipeline that comes with the program, then see what another parameter does:\n" +
         ".PP\n.nf\n.RS\n" +
         roff(
             "semblance run /usr/share/semblance/pipelines/quickstart.yaml\n"
             "semblance run /usr/share/semblance/pipelines/quickstart.yaml "
             "--set nodes.rbf.gamma=2\nsemblance history list") +
         "\n.RE\n.fi\n.SH SEE ALSO\n" + pages;
}

void write_page(const fs::path& folder, const std::string& name, const std::string& text) {
  write_file_atomically(folder / (name + ".1"), text);
}

}  // namespace

std::size_t write_man_pages(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error("the folder '" + folder.string() + "' cannot be made: " + failure.message());
  write_page(folder, "semblance", program_page());
  for (const Verb& verb : all_verbs()) write_page(folder, page_name(verb), verb_page(verb));
  return all_verbs().size() + 1;
}

}  // namespace semblance::cli
