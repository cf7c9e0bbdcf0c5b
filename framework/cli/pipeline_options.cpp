// SPDX-License-Identifier: MIT
#include "cli/pipeline_options.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "cli/known_data.hpp"
#include "registry/places.hpp"
#include "report/progress.hpp"
#include "runtime/services/control_groups.hpp"
#include "runtime/services/run_context.hpp"
#include "study/check_pipeline.hpp"
#include "study/selection.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

/// The value of an option that takes a number of bytes.
std::size_t size_option(const options::variables_map& values, const char* option) {
  const std::string text = option_text(values, option);
  if (const auto bytes = bytes_from_text(text)) return *bytes;
  throw UsageError("'" + text +
                   "' is not a size; write bytes, or a number with K, M, G or T, such as 4G");
}

std::size_t memory_budget(const options::variables_map& values, std::size_t threads) {
  if (!values.count("memory")) return default_memory(threads);
  const std::size_t bytes = size_option(values, "memory");
  const std::size_t most = memory_within_limits(threads);
  if (bytes > most)
    throw Error(
        fmt::format("--memory {0} is more than the {1} MiB that a limit (ulimit -v or -d) leaves "
                    "for data: raise the limit, or use at most --memory {1}M",
                    option_text(values, "memory"), most >> 20));
  if (const GroupLimits group = group_limits();
      bytes > group.memory_left && values.count("quiet") == 0)
    fmt::print(stderr,
               "warning: --memory {} is more than the {} that the control group leaves ({}): the "
               "system may kill the run\n",
               option_text(values, "memory"), bytes_text(static_cast<double>(group.memory_left)),
               group.memory_file);
  return bytes;
}

/// The value of an option that takes one of several words.
template <class Choice>
Choice chosen(const options::variables_map& values, const char* option,
              std::initializer_list<std::pair<const char*, Choice>> choices) {
  const std::string given = option_text(values, option);
  if (const auto named = choice_named(given, choices)) return *named;
  std::string known;
  for (const auto& choice : choices)
    known += (known.empty() ? "" : ", ") + std::string(choice.first);
  throw UsageError(fmt::format("--{} must be one of {}; got '{}'", option, known, given));
}

LogOptions log_options(const options::variables_map& values) {
  LogOptions options;
  options.console = chosen<LogLevel>(
      values, "log-level",
      {{"debug", LogLevel::debug}, {"info", LogLevel::info}, {"warning", LogLevel::warning}});
  options.format = chosen<LogFormat>(values, "log-format",
                                     {{"text", LogFormat::text}, {"json", LogFormat::json}});
  return options;
}

/// Writing to a closed terminal is an error, so output stops.
void leave_terminal() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    if (nowhere >= 0 && ::isatty(descriptor) == 1) ::dup2(nowhere, descriptor);
}

/// A second signal ends the program at once; but a closed terminal signals more than once.
extern "C" void on_interrupt(int signal) {
  StopSwitch::cancel(signal);
  // A display on a terminal says it itself; a line of ours would be among those that it redraws.
  if (signal != SIGHUP && !Progress::is_live()) {
    const char* const text = stopping_text(signal);
    static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text)));
    static_cast<void>(!::write(STDERR_FILENO, "\n", 1));
  }
  if (signal == SIGHUP) leave_terminal();
  ::signal(signal, signal == SIGHUP ? SIG_IGN : SIG_DFL);
}

}  // namespace

Discovery reported(Discovery found) {
  for (const auto& warning : found.warnings) fmt::print(stderr, "warning: {}\n", warning);
  return found;
}

void add_plugin_option(options::options_description& described) {
  described.add_options()(
      "plugin-path", takes<Texts>("PATH"),
      "a plugin or a folder of plugins; may be repeated (also $SEMBLANCE_PLUGIN_PATH)");
}

void add_pipeline_options(options::options_description& described) {
  described.add_options()(
      "set", takes<Texts>("PATH=VALUE"),
      "change the pipeline: nodes.svm.C=10, nodes.bases.is=basis/random; or the study: "
      "study.repeats={seeds: 5}; may be repeated")(
      "data", takes("DIR"),
      "where relative data paths start (default: $SEMBLANCE_DATA, else the user's data folder)")(
      "seed", takes<std::uint64_t>("N"), "replace the pipeline's seed");
  add_plugin_option(described);
}

void add_log_options(options::options_description& described) {
  described.add_options()("log-level", takes("LEVEL")->default_value("warning"),
                          "the least severe messages to show: debug, info or warning; run.log "
                          "always has info and above")(
      "log-format", takes("FORMAT")->default_value("text"),
      "format of messages and run.log: text, or json with one object per line");
}

void add_computing_options(options::options_description& described) {
  described.add_options()("threads", takes<int>("N"), "number of threads (default: all cores)")(
      "memory", takes("SIZE"),
      "memory budget, such as 4G; what does not fit is kept on disk (default: 80 % of the "
      "machine's)");
  add_log_options(described);
}

void add_run_options(options::options_description& described) {
  described.add_options()("out", takes("DIR"), "where to write the results");
  add_computing_options(described);
  described.add_options()("deadline", takes<double>("SECONDS"),
                          "stop after this time, keeping finished work")(
      "quiet", "say nothing but errors; --json still prints its JSON")(
      "json", "print metrics.json (study.json for a study) to standard output");
  add_device_option(described);
}

void add_store_options(options::options_description& described) {
  described.add_options()(
      "cache", takes("DIR"),
      "the artifact store (default: $SEMBLANCE_CACHE, else the user's cache folder)")(
      "cache-limit", takes("SIZE")->default_value("20G"),
      "size limit of the store; the least recently used artifacts go first")(
      "no-cache", "neither use nor fill the artifact store");
}

void add_same_processor_option(options::options_description& described) {
  described.add_options()("require-same-cpu",
                          "refuse results from another kind of processor, whose last digits "
                          "differ; without this option they only cause a warning");
}

std::string required_argument(const options::variables_map& values, const Verb& verb) {
  const auto given = option_texts(values, "argument");
  if (given.empty())
    throw UsageError(std::string("an argument is missing; usage: semblance ") + verb.name + " " +
                     verb.arguments);
  return given.front();
}

std::string pipeline_argument(const options::variables_map& values, const Verb& verb) {
  const std::filesystem::path file = required_argument(values, verb);
  const std::filesystem::path installed = shared_folder() / file;
  std::error_code ignored;
  if (file.is_absolute() || file.begin()->string() != "pipelines" ||
      std::filesystem::exists(file, ignored) || !std::filesystem::exists(installed, ignored))
    return file;
  if (values.count("quiet") == 0)
    fmt::print(stderr, "note: '{}' is not here; this is the installed '{}'\n", file.string(),
               installed.string());
  return installed;
}

options::positional_options_description one_argument() {
  options::positional_options_description places;
  places.add("argument", 1);
  return places;
}

Discovery discover(const options::variables_map& values) {
  Discovery found = semblance::discover(option_texts(values, "plugin-path"));
  return values.count("quiet") > 0 ? found : reported(std::move(found));
}

CheckOptions check_options(const options::variables_map& values) {
  CheckOptions result;
  result.data = data_folder(option_text(values, "data"));
  result.overrides = option_texts(values, "set");
  result.warns = values.count("quiet") == 0;
  if (values.count("seed")) result.seed = values["seed"].as<std::uint64_t>();
  result.fetching = [data = result.data](const std::string& path) {
    return fetching_command(data, path);
  };
  return result;
}

RunOptions run_options(const options::variables_map& values) {
  RunOptions result;
  device_option(values);
  result.out = option_text(values, "out");
  result.cache = cache_folder(option_text(values, "cache"));
  result.use_cache = !values.count("no-cache");
  if (values.count("cache-limit")) result.cache_limit = size_option(values, "cache-limit");
  result.threads = available_threads();
  if (values.count("threads")) {
    const int threads = values["threads"].as<int>();
    if (threads < 1 || threads > 4096)
      throw UsageError("--threads must be between 1 and 4096, got " + std::to_string(threads));
    result.threads = static_cast<std::size_t>(threads);
  }
  result.memory = memory_budget(values, result.threads);
  if (values.count("deadline")) {
    result.deadline = values["deadline"].as<double>();
    if (!(*result.deadline > 0))
      throw UsageError("--deadline must be a positive number of seconds");
  }
  result.quiet = values.count("quiet") > 0;
  result.same_processor = values.count("require-same-cpu") > 0;
  result.log = log_options(values);
  result.log.silent = result.quiet;
  return result;
}

void print_stop(const RunOptions& settings, bool stopped, const RunRecord& record) {
  if (settings.quiet && stopped)
    fmt::print(stderr,
               "semblance: stopped{}; finished work is kept, and the same command continues it\n",
               record.stopped_by.empty() ? "" : " by " + record.stopped_by);
}

std::optional<SelectingPipeline> checked_pipeline(const std::filesystem::path& file,
                                                  const Catalogue& catalogue,
                                                  const CheckOptions& options) {
  PipelineCheck checked = load_pipeline(file, catalogue, options);
  fmt::print(stderr, "{}", render(checked.diagnostics));
  return std::move(checked.pipeline);
}

std::string selection_text(const SelectingPipeline& pipeline) {
  if (!pipeline.selection) return "";
  const Study& trials = pipeline.selection->trials;
  if (pipeline.selection->leave_one_out)
    return fmt::format(", after a selection of {} combinations by leaving out one row at a time",
                       trials.combinations);
  return fmt::format(", after a selection of {} combinations on {} folds each", trials.combinations,
                     trials.repeats.size());
}

std::optional<Study> checked_study(const std::filesystem::path& file, const Catalogue& catalogue,
                                   const CheckOptions& options) {
  StudyCheck checked = load_study(file, catalogue, options);
  fmt::print(stderr, "{}", render(checked.diagnostics));
  return std::move(checked.study);
}

std::string steps_text(const Study& study) {
  std::string text;
  for (const StudyStep& step : study.steps) {
    const auto& variants = step.study.variants;
    const auto& first = variants.front().choices;
    const auto count = std::ranges::count_if(variants, [&](const StudyVariant& v) {
      return std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(step.chosen),
                        v.choices.begin());
    });
    text += fmt::format("{} {} with {} variants", text.empty() ? ":" : ",", step.name, count);
  }
  return text;
}

void stop_on_interrupt() {
  for (const int signal : stop_signals()) ::signal(signal, on_interrupt);
}

std::vector<int> stop_signals() {
  std::vector<int> signals = {SIGINT, SIGTERM};
  struct sigaction now = {};
  if (::sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
    signals.push_back(SIGHUP);
  return signals;
}

}  // namespace semblance::cli
