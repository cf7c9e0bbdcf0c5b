// SPDX-License-Identifier: MIT
// Lists the ways to complete the last word of a command line, for the shells' scripts beside this
// file.
//
// Each line is TEXT or TEXT<tab>MEANING: the whole word that may follow. The shell adds no blank
// after '=', '.' and '/'. A line that begins with ':' leaves it to the shell to find files:
// `:files<tab>PREFIX<tab>ENDING...` or `:folders<tab>PREFIX`, where PREFIX is the beginning of the
// word that is not part of the path.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/complete/typed_line.hpp"
#include "cli/complete/written_pipeline.hpp"
#include "cli/known_data.hpp"
#include "cli/output.hpp"
#include "cli/pipeline_options.hpp"
#include "history/history.hpp"
#include "registry/places.hpp"
#include "registry/targets_text.hpp"
#include "semblance/kind.hpp"
#include "support/safe_text.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

/// Prints what continues the last word.
class Answer {
 public:
  explicit Answer(const TypedLine& line) : line_(line) {}

  void word(const std::string& text, const std::string& meaning = "") {
    const std::string whole = line_.prefix + text;
    // Names that a shell would have to quote are rare, and each shell quotes differently.
    if (!text.starts_with(line_.typed) || quoted(whole) != whole) return;
    const std::string sentence = safe_text(meaning.substr(0, meaning.find_first_of("\n\t")));
    text_ += whole + (sentence.empty() ? "" : "\t" + sentence) + "\n";
  }
  void words(const std::vector<Completion>& all) {
    for (const Completion& completion : all) word(completion.text, completion.meaning);
  }
  void words(const Words& all) {
    for (const std::string& text : all) word(text);
  }
  /// `endings`: ".yaml .yml"; empty: any file.
  void files(const std::string& endings = "") {
    text_ += ":files\t" + line_.prefix + "\t" + endings + "\n";
  }
  void folders() { text_ += ":folders\t" + line_.prefix + "\n"; }

  const std::string& text() const { return text_; }

 private:
  const TypedLine& line_;
  std::string text_;
};

Catalogue catalogue(const TypedLine& line) {
  return semblance::discover(line.values("plugin-path")).catalogue;
}

/// The pipeline or study of a file, a model folder or a finished run or study.
WrittenPipeline pipeline(const TypedLine& line, const fs::path& place, const Catalogue& known) {
  std::error_code failure;
  fs::path file = place;
  if (fs::is_directory(place, failure))
    file /= fs::exists(place / "study.yaml", failure) ? "study.yaml" : "pipeline.yaml";
  return {file, line.values("set"), known};
}

void component_ids(const TypedLine& line, Answer& answer) {
  const Catalogue known = catalogue(line);
  for (const auto* entry : known.entries())
    answer.word(entry->info.id, summary_with_targets(entry->info));
}

void component_kinds(const TypedLine&, Answer& answer) {
  for (const std::string& kind : kinds()) answer.word(kind, kind_named(kind)->purpose);
}

void new_ids(const TypedLine&, Answer& answer) {
  for (const std::string& kind : template_kinds()) answer.word(kind + "/");
}

/// For check-plugin: KIND/NAME.PARAMETER=
void component_parameters(const TypedLine& line, Answer& answer) {
  const Catalogue known = catalogue(line);
  const std::size_t dot = line.typed.find('.');
  const auto* chosen = dot == line.typed.npos ? nullptr : known.find(line.typed.substr(0, dot));
  if (chosen)
    for (const ParameterInfo& parameter : chosen->info.parameters)
      answer.word(chosen->info.id + "." + parameter.name + "=", parameter.documentation);
  else
    for (const auto* entry : known.entries()) answer.word(entry->info.id + ".");
}

void changes(const TypedLine& line, Answer& answer) {
  const Catalogue known = catalogue(line);
  answer.words(pipeline(line, line.arguments.at(0), known).changes(line.typed));
}

void nodes(const TypedLine& line, Answer& answer) {
  const Catalogue known = catalogue(line);
  answer.words(pipeline(line, line.arguments.at(0), known).nodes(line.option == "node"));
}

/// For compare: NODE.FIGURE of the folders; with none, the figures of all evaluators.
void figures(const TypedLine& line, Answer& answer) {
  const Catalogue known = catalogue(line);
  std::map<std::string, std::string> found;
  for (const std::string& folder : line.arguments)
    for (const Completion& figure : pipeline(line, folder, known).figures())
      found[figure.text] = figure.meaning;
  if (found.empty())
    for (const auto* entry : known.entries())
      if (entry->info.kind() == "evaluator")
        for (const FigureInfo& figure : entry->info.figures)
          found[figure.name] = figure.documentation;
  for (const auto& [name, meaning] : found) answer.word(name, meaning);
}

History history_of(const TypedLine& line) {
  const std::string root = line.value("root");
  return {root.empty() ? "runs" : root, History::Open::existing};
}

void run_ids(const TypedLine& line, Answer& answer) {
  for (const HistoryEntry& entry : history_of(line).list())
    answer.word(entry.id, entry.name + ", " + entry.started);
}

/// The tags of all runs; to be removed, those of the run.
void run_tags(const TypedLine& line, Answer& answer) {
  const bool of_one = line.arguments.size() > 1 && line.arguments.front() == "untag";
  std::set<std::string> tags;
  for (const HistoryEntry& entry : history_of(line).list())
    if (!of_one || entry.id.starts_with(line.arguments[1]))
      tags.insert(entry.tags.begin(), entry.tags.end());
  for (const std::string& tag : tags) answer.word(tag, "");
}

void data_sets(const TypedLine& line, Answer& answer) {
  for (const DataSet& set :
       known_data_sets(data_folder(line.value("data")), line.value("catalogue")))
    answer.word(set.name, set.summary);
}

void any_files(const TypedLine&, Answer& answer) { answer.files(); }
void yaml_files(const TypedLine&, Answer& answer) { answer.files(".yaml .yml"); }
void plugin_files(const TypedLine&, Answer& answer) { answer.files(".so .py"); }
void folders(const TypedLine&, Answer& answer) { answer.folders(); }

/// The values that a placeholder of the help stands for.
struct Placeholder {
  const char* verb;  ///< "": any
  const char* text;
  void (*answer)(const TypedLine&, Answer&);
};

// The first that matches counts.
constexpr Placeholder placeholders[] = {
    {"describe", "ID", component_ids},
    {"history", "ID", run_ids},
    {"history", "TAG", run_tags},
    {"history", "TAG...", run_tags},
    {"list", "KIND", component_kinds},
    {"new-plugin", "KIND/NAME", new_ids},
    {"check-plugin", "LIBRARY", plugin_files},
    {"check-plugin", "KIND/NAME.PARAMETER=VALUE", component_parameters},
    {"data", "NAME...", data_sets},
    {"data", "NAME", data_sets},
    {"data", "FILE", yaml_files},
    {"import", "FILE", any_files},
    {"graph", "FILE", yaml_files},
    {"export", "FILE", any_files},
    {"", "FILE", yaml_files},
    {"", "PATH", plugin_files},
    {"", "DATA", any_files},
    {"", "NODE=DATA...", any_files},
    {"", "DIR", folders},
    {"", "DIR...", folders},
    {"", "DIR|URL", folders},
    {"", "FOLDER", folders},
    {"", "MODEL", folders},
    {"", "NODE", nodes},
    {"", "PATH=VALUE", changes},
    {"", "[NODE.]FIGURE", figures},
};

/// The words that an option takes, where its help has a placeholder for them.
const std::map<std::string, Words> words_of_options = {
    {"better", {"lower", "higher"}},
    {"first-index", {"0", "1"}},
    {"format", {"csv", "json", "libsvm"}},
    {"log-format", {"text", "json"}},
    {"log-level", {"debug", "info", "warning"}},
    {"to", {"c", "onnx", "libsvm", "liblinear"}},
};

void complete_placeholder(const std::string& text, const TypedLine& line, Answer& answer) {
  const auto* const found = std::ranges::find_if(placeholders, [&](const Placeholder& p) {
    return p.text == text && (*p.verb == 0 || line.verb->name == std::string(p.verb));
  });
  if (found != std::end(placeholders)) found->answer(line, answer);
}

void complete_value(const TypedLine& line, Answer& answer) {
  const auto* option = option_named(line.help, line.option);
  if (!option) return;
  if (const auto words = words_of_options.find(line.option); words != words_of_options.end())
    return answer.words(words->second);
  const std::string name = option->semantic()->name();  // "DIR (=runs)"
  complete_placeholder(name.substr(0, name.find(' ')), line, answer);
}

void complete_option(const TypedLine& line, Answer& answer) {
  for (const auto& option : line.help.options.options())
    answer.word("--" + option->long_name(), option->description());
}

void complete_argument(const TypedLine& line, Answer& answer) {
  const auto all = argument_forms(line.verb->arguments);
  if (all.empty()) return;
  const std::size_t given = line.arguments.size();
  // A verb of several actions: the form that begins with the word.
  if (std::islower(static_cast<unsigned char>(all.front().front().front()))) {
    for (const Words& form : all)
      if (given == 0)
        answer.word(form.front());
      else if (form.front() == line.arguments.front() && form.size() > 1 &&
               (given < form.size() || form.back().ends_with("...")))
        complete_placeholder(form[std::min(given, form.size() - 1)], line, answer);
    return;
  }
  Words places;
  for (const Words& form : all) places.insert(places.end(), form.begin(), form.end());
  if (given == 0) return complete_placeholder(places.front(), line, answer);
  if (given == 1 && places.size() > 1) return complete_placeholder(places[1], line, answer);
  if (places.back().ends_with("...")) complete_placeholder(places.back(), line, answer);
}

std::string answer_to(const Words& words) {
  if (words.size() < 2) {
    TypedLine line;
    line.typed = words.empty() ? "" : words.front();
    Answer answer(line);
    for (const Verb& verb : all_verbs()) answer.word(verb.name, verb.summary);
    if (in_source_tree()) answer.words(Words{"python", "test"});
    for (const char* option : {"--help", "--version"})
      if (line.typed.starts_with("-")) answer.word(option);
    return answer.text();
  }
  const TypedLine line = typed_line(words);
  Answer answer(line);
  if (!line.option.empty())
    complete_value(line, answer);
  else if (line.typed.starts_with("-") && !line.only_arguments)
    complete_option(line, answer);
  else
    complete_argument(line, answer);
  return answer.text();
}

}  // namespace

int complete_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("complete");
  if (arguments.empty() || arguments.front() != "--") {
    options::options_description described("options", 100);
    if (!parse(verb, arguments, described, {})) return done;
    throw UsageError(std::string("usage: semblance complete ") + verb.arguments);
  }
  // Whatever is wrong, the line under the cursor must stay as it is.
  try {
    fmt::print("{}", answer_to({arguments.begin() + 1, arguments.end()}));
  } catch (const std::exception&) {
    return failed;
  }
  return done;
}

}  // namespace semblance::cli
