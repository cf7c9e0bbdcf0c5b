// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verb.hpp"
#include "pipeline/check_options.hpp"
#include "registry/discovery.hpp"
#include "report/run_record.hpp"
#include "runtime/services/run_options.hpp"
#include "study/study.hpp"

namespace semblance::cli {

/// The option of verbs that compute: --device.
void add_device_option(options::options_description& described);

/// Chooses the device for all runs of this process (choose_device()), unless it only submits
/// workers to a cluster. Throws Error if it is to be a GPU and there is none that can be used.
void device_option(const options::variables_map& values);

/// The options of every verb that reads a pipeline: --set, --data, --seed, --plugin-path.
void add_pipeline_options(options::options_description& described);

/// The option of verbs that use plugins: --plugin-path.
void add_plugin_option(options::options_description& described);

/// The options of verbs that log: --log-level, --log-format; and those of verbs that compute:
/// --threads and --memory too.
void add_log_options(options::options_description& described);
void add_computing_options(options::options_description& described);

/// The options of verbs that compute: --out, --threads, --memory, --deadline, --quiet, --json.
void add_run_options(options::options_description& described);

/// The options of verbs that use the artifact store: --cache, --cache-limit, --no-cache.
void add_store_options(options::options_description& described);

/// The option of verbs that compute with stored results: --require-same-cpu.
void add_same_processor_option(options::options_description& described);

/// The first positional argument; throws UsageError when it is missing.
std::string required_argument(const options::variables_map& values, const Verb& verb);
options::positional_options_description one_argument();

/// The FILE of a pipeline or study. Outside of a source tree, pipelines/NAME that is not there is
/// the installed one, which a note says.
std::string pipeline_argument(const options::variables_map& values, const Verb& verb);

/// Finds the plugins; warns of unusable ones in a folder.
Discovery discover(const options::variables_map& values);
Discovery reported(Discovery found);
CheckOptions check_options(const options::variables_map& values);
RunOptions run_options(const options::variables_map& values);

/// With --quiet: says that a run was stopped, and by what, which otherwise is a warning.
void print_stop(const RunOptions& settings, bool stopped, const RunRecord& record);

/// Loads and checks; prints all diagnostics. Nothing when there are errors.
std::optional<SelectingPipeline> checked_pipeline(const std::filesystem::path& file,
                                                  const Catalogue& catalogue,
                                                  const CheckOptions& options);

/// The same for a study.
std::optional<Study> checked_study(const std::filesystem::path& file, const Catalogue& catalogue,
                                   const CheckOptions& options);

/// ", after a selection of ...", if the pipeline leaves parameters open; otherwise empty.
std::string selection_text(const SelectingPipeline& pipeline);

/// ": pair with 24 variants, interexample with 5", for a study in steps.
std::string steps_text(const Study& study);

/// Lets Ctrl-C, SIGTERM or the closing of the terminal ask the run to stop; a second Ctrl-C or
/// SIGTERM ends the program at once.
void stop_on_interrupt();

/// These signals; a program started with nohup outlives its terminal.
std::vector<int> stop_signals();

}  // namespace semblance::cli
