// SPDX-License-Identifier: MIT
#include "runtime/results/predict.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <exception>
#include <system_error>
#include <vector>

#include "cli/models/applied_model.hpp"
#include "cli/models/pair_options.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/runs/ranks_option.hpp"
#include "cli/verb.hpp"
#include "report/figure_line.hpp"
#include "report/metrics.hpp"
#include "runtime/services/crash_report.hpp"
#include "runtime/services/run_context.hpp"
#include "serve/line_scorer.hpp"
#include "support/figure_text.hpp"
#include "support/safe_text.hpp"

namespace semblance::cli {

namespace {

using serving::Form;

constexpr std::size_t longest_line = std::size_t{64} << 20;

constexpr std::size_t most_lines = 1024;  ///< per batch

volatile sig_atomic_t interrupted_by = 0;

extern "C" void on_line_interrupt(int signal) { interrupted_by = signal; }

/// Standard input, which an interrupt ends: signals are delivered only in read().
class InputLines {
 public:
  InputLines() {
    struct sigaction action = {};
    action.sa_handler = on_line_interrupt;
    sigset_t caught;
    ::sigemptyset(&caught);
    const std::vector<int> signals = stop_signals();
    for (const int signal : signals) {
      ::sigaction(signal, &action, nullptr);
      ::sigaddset(&caught, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &caught, &unblocked_);
    for (const int signal : signals) ::sigdelset(&unblocked_, signal);
  }

  /// The next complete line; at the end also one without a line break.
  bool next(std::string_view& line) {
    const std::size_t end = text_.find('\n', searched_);
    if (end == text_.npos) {
      searched_ = text_.size();
      if (!ended_ || begin_ == text_.size()) return false;
      line = std::string_view(text_).substr(begin_);
      begin_ = text_.size();
      return true;
    }
    line = std::string_view(text_).substr(begin_, end - begin_);
    begin_ = searched_ = end + 1;
    return true;
  }

  /// Waits for more input. False at the end, and on an interrupt.
  bool read_more() {
    if (ended_) return false;
    text_.erase(0, begin_);
    searched_ -= begin_;
    begin_ = 0;
    if (text_.size() > longest_line) throw Error("a line is longer than 64 MiB");
    pollfd wanted = {STDIN_FILENO, POLLIN, 0};
    int found = 0;
    do {
      found = ::ppoll(&wanted, 1, nullptr, &unblocked_);
      if (interrupted_by != 0) return false;
    } while (found < 0 && errno == EINTR);
    std::array<char, 1 << 16> bytes;
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      throw Error("standard input cannot be read: " + std::generic_category().message(errno));
    if (count > 0) text_.append(bytes.data(), static_cast<std::size_t>(count));
    ended_ = count == 0;
    return true;
  }

 private:
  sigset_t unblocked_ = {};
  std::string text_;
  std::size_t begin_ = 0, searched_ = 0;
  bool ended_ = false;
};

/// Programs that read the answers get names of classes unchanged.
void write_out(std::string& text) {
  static const bool on_terminal = ::isatty(STDOUT_FILENO) == 1;
  if (on_terminal) text = safe_text(text);
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (count > 0)
      written += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      throw Error("the answers cannot be written: " + std::generic_category().message(errno));
  }
  text.clear();
}

Form form_option(const options::variables_map& values) {
  const std::string given = option_text(values, "format");
  const auto named = choice_named<Form>(
      given, {{"csv", Form::csv}, {"json", Form::json}, {"libsvm", Form::libsvm}});
  if (named) return *named;
  throw UsageError("--format must be one of csv, json, libsvm; got '" + given + "'");
}

std::size_t first_index_option(const options::variables_map& values,
                               const serving::ServedModel& model) {
  if (values.count("first-index")) return values["first-index"].as<unsigned>();
  if (model.first_index()) return *model.first_index();
  throw UsageError(
      "the model was trained on files whose indices count from 0 or from 1; say which with "
      "--first-index");
}

serving::LineOptions line_options(const options::variables_map& values) {
  serving::LineOptions wanted;
  wanted.form = form_option(values);
  wanted.header = values.count("header") > 0;
  wanted.scores = values.count("scores") > 0;
  wanted.json = values.count("json") > 0;
  wanted.keeps_going = values.count("keep-going") > 0;
  if (wanted.header && wanted.form != Form::csv)
    throw UsageError("--header goes with --format csv; the others have no header");
  if (values.count("first-index") && wanted.form != Form::libsvm)
    throw UsageError("--first-index goes with --format libsvm");
  if (values.count("first-index") && values["first-index"].as<unsigned>() > 1)
    throw UsageError("--first-index must be 0 or 1");
  return wanted;
}

/// Scores all pending lines and writes their answers.
void answer_all(serving::LineScorer& scorer, const serving::ServedModel& model, std::string& text) {
  scorer.answer(text);
  write_out(text);
  for (const std::string& problem : scorer.problems())
    fmt::print(stderr, "semblance: {}\n", safe_text(problem));
  for (const std::string& warning : model.warnings())
    fmt::print(stderr, "warning: {}\n", safe_text(warning));
}

/// Takes all available lines, in batches.
void take_lines(InputLines& input, serving::LineScorer& scorer, const serving::ServedModel& model,
                std::string& text) {
  std::string_view line;
  while (interrupted_by == 0 && input.next(line)) {
    try {
      scorer.add(line);
    } catch (const Error&) {
      answer_all(scorer, model, text);  // earlier lines are valid
      throw;
    }
    if (scorer.waiting() >= most_lines) answer_all(scorer, model, text);
  }
  answer_all(scorer, model, text);
}

/// The options of `predict --stdin`.
void add_line_options(options::options_description& described) {
  described.add_options()("stdin",
                          "read a row from each line of standard input and answer at once with its "
                          "class; with --json, with an object per line")(
      "node", takes("NODE"),
      "with --stdin: the node whose scores to use, if several nodes score rows")(
      "format", takes("FORMAT")->default_value("csv"),
      "with --stdin: the format of a line: csv, json (an array, an object by the names of "
      "columns, or a text) or libsvm")("header", "with --stdin: the first line names the columns")(
      "first-index", takes<unsigned>("0|1"),
      "with --format libsvm: where indices start (default: as in the training data)")(
      "scores", "with --stdin: write each class's score as well")(
      "keep-going",
      "with --stdin: answer a wrong line with an empty one (null in JSON), and exit with 1 at the "
      "end");
}

/// Throws UsageError for options that require --stdin without it, or exclude it.
void check_line_options(const options::variables_map& values) {
  const auto given = [&](const char* option) {
    return values.count(option) > 0 && !values[option].defaulted();
  };
  if (values.count("stdin") == 0) {
    for (const char* option : {"node", "format", "header", "first-index", "scores", "keep-going"})
      if (given(option)) throw UsageError(fmt::format("--{} goes with --stdin", option));
    return;
  }
  for (const char* option : {"seed", "out", "deadline", "mpi"})
    if (given(option)) throw UsageError(fmt::format("give --{} or --stdin, not both", option));
  if (option_texts(values, "argument").size() > 1)
    throw UsageError("give DATA or --stdin, not both");
}

/// Answers each line of standard input; returns the exit code.
int predict_lines(const options::variables_map& values, const Verb& verb) {
  report_crashes();
  const serving::LineOptions wanted = line_options(values);
  RunOptions settings = run_options(values);
  settings.quiet = true;
  const auto catalogue = std::make_shared<const Catalogue>(discover(values).catalogue);
  const serving::ServedModel model(required_argument(values, verb), catalogue, settings,
                                   option_text(values, "node"), check_options(values));
  check_pair_options(values, model);
  serving::LineOptions options = wanted;
  if (options.form == Form::libsvm && !model.of_pairs())
    options.first_index = first_index_option(values, model);
  serving::LineScorer scorer(model, options);
  InputLines input;
  std::string text = scorer.heading();
  write_out(text);
  while (input.read_more()) take_lines(input, scorer, model, text);
  if (interrupted_by != 0)
    throw Error(fmt::format("stopped by {} after line {}", StopSwitch::name_of(interrupted_by),
                            scorer.lines()));
  return scorer.any_wrong() ? failed : done;
}

/// "test: accuracy 97.50 %, error rate 2.50 %"
void print_evaluations(const PredictResult& result) {
  for (const auto& evaluation : result.evaluations) {
    std::string text;
    for (const std::string& name : headline_figures(evaluation))
      text += (text.empty() ? "" : ", ") + words(name) + " " +
              terminal_text(evaluation.figure(name).unit, evaluation.metrics[name].get<double>());
    if (!text.empty()) fmt::print("{}: {}\n", evaluation.name, text);
  }
}

void print_number(std::size_t count, const char* what) {
  if (count > 0) fmt::print("{} {}{} predicted:\n", count, what, count == 1 ? "" : "s");
}

void print_result(const PredictResult& result) {
  if (!result.new_data)
    fmt::print(
        "no new data given: these are the test rows of the training run (for others: semblance "
        "predict MODEL DATA)\n");
  print_evaluations(result);
  print_number(result.rows, "row");
  print_number(result.pairs, "pair");
  for (const auto& file : result.files) fmt::print("  {}\n", file.string());
}

/// `nodes` as in metrics.json.
nlohmann::ordered_json prediction_json(const PredictResult& result) {
  RunRecord evaluations;
  evaluations.nodes = result.evaluations;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const auto& file : result.files) files.push_back(file.string());
  return {{"new_data", result.new_data},
          {"rows", result.rows},
          {"pairs", result.pairs},
          {"files", files},
          {"nodes", metrics_json(evaluations)["nodes"]}};
}

/// The exit code where the model cannot be applied.
int exit_of(const Applied& what) {
  try {
    if (what.failure) std::rethrow_exception(what.failure);
    return wrong_usage;
  } catch (const UsageError&) {
    return wrong_usage;
  } catch (const std::exception&) {
    return failed;
  }
}

/// The same on all ranks. One of them reports errors.
Applied applied_by_all(const options::variables_map& values, const Catalogue& catalogue,
                       Transport* transport) {
  Applied found;
  std::string problem;
  try {
    const auto arguments = option_texts(values, "argument");
    found = applied_model(arguments.front(), {arguments.begin() + 1, arguments.end()},
                          check_options(values), catalogue, run_options(values).memory);
    problem = found.diagnostics;
  } catch (const std::exception& thrown) {
    problem = std::string(thrown.what()) + "\n";
    found.failure = std::current_exception();
  }
  if (speaks(transport)) fmt::print(stderr, "{}", found.diagnostics);
  found.by_all = all_have(transport, found.pipeline.has_value(), problem);
  if (found.failure && speaks(transport)) std::rethrow_exception(found.failure);
  return found;
}

/// The work of a rank other than the first: the first rank prints results and errors.
int predict_quietly(const Applied& what, const Catalogue& catalogue, const RunOptions& settings) {
  try {
    predict(*what.pipeline, catalogue, settings, what.model);
    return done;
  } catch (const std::exception&) {
    return failed;
  }
}

}  // namespace

int predict_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("predict");
  options::options_description described(
      data_help + " Without --out, results go to the folder predictions.\n\noptions", 100);
  add_pipeline_options(described);
  add_run_options(described);
  add_ranks_option(described, "predict MODEL");
  add_same_processor_option(described);
  add_line_options(described);
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  required_argument(*values, verb);
  check_line_options(*values);
  if (values->count("stdin")) return predict_lines(*values, verb);
  RunOptions settings = run_options(*values);
  settings.use_cache = false;
  if (settings.out.empty()) settings.out = "predictions";
  Transport* const transport = ranks_option(*values, settings);
  const Discovery found = discover(*values, transport);
  const Applied what = applied_by_all(*values, found.catalogue, transport);
  if (!what.by_all) return exit_of(what);
  stop_on_interrupt();
  report_crashes();
  if (!speaks(transport)) return predict_quietly(what, found.catalogue, settings);
  const PredictResult result = predict(*what.pipeline, found.catalogue, settings, what.model);
  if (values->count("json"))
    fmt::print("{}", readable_json(prediction_json(result)));
  else if (!settings.quiet)
    print_result(result);
  return done;
}

}  // namespace semblance::cli
