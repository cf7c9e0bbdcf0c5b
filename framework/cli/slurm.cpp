// SPDX-License-Identifier: MIT
#include "cli/slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "support/atomic_file.hpp"
#include "support/utc_time.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string trimmed(std::string text) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  text.erase(std::find_if_not(text.rbegin(), text.rend(), blank).base(), text.end());
  text.erase(text.begin(), std::ranges::find_if_not(text, blank));
  return text;
}

/// A path in a line of #SBATCH, in which %A, say, is the job's number.
std::string sbatch_path(const std::string& path) {
  std::string text = "\"";
  for (const char c : path) {
    if (c == '%') text += '%';
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

/// A name that Slurm accepts and shows.
std::string job_name(const std::string& name) {
  std::string text = "semblance-";
  for (const char c : name)
    text += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
  return text;
}

bool has(const std::vector<std::string>& arguments, const std::string& option) {
  return std::ranges::find(arguments, option) != arguments.end();
}

/// The variables of this shell's environment that workers need, in case Slurm does not pass them
/// on.
std::string exports() {
  std::string text;
  for (const char* name : {"SEMBLANCE_PLUGIN_PATH", "LD_LIBRARY_PATH"})
    if (const char* value = std::getenv(name))
      text += fmt::format("export {}={}\n", name, quoted(value));
  return text;
}

/// The numbers of the submitted jobs.
std::vector<std::string> jobs_of(const WorkFolder& folder) {
  std::vector<std::string> jobs;
  const Json known = WorkFolder::read(folder.jobs_file());
  if (known.is_array())
    for (const Json& job : known) jobs.push_back(job.value("job", ""));
  return jobs;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

/// "41" from the output of sbatch --parsable: "41", or "41;cluster".
std::string job_number(const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    std::string number = line.substr(0, line.find(';'));
    if (!number.empty() &&
        std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; }))
      return number;
  }
  throw Error("sbatch did not report the job's number: " + trimmed(said));
}

}  // namespace

std::string job_script(const std::string& name, const std::vector<std::string>& arguments,
                       const Joining& how) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  std::string text = fmt::format(
      "#!/bin/bash\n"
      "# Workers on '{}'. To start more, or others after some have ended: sbatch {}\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --array=1-{}\n"
      "#SBATCH --chdir={}\"\n"
      "#SBATCH --output={}/%A_%a.log\"\n"
      "#SBATCH --open-mode=append\n",
      name, quoted((how.folder / "job.sh").string()), job_name(name), how.jobs,
      sbatch_path(fs::current_path().string()),
      sbatch_path(WorkFolder(how.folder).slurm_folder().string()));
  if (!how.slurm.empty()) text += "#SBATCH " + how.slurm + "\n";
  text += "\n" + exports();
  std::string more;
  if (!has(arguments, "--threads")) more += " --threads \"${SLURM_CPUS_PER_TASK:-1}\"";
  if (!has(arguments, "--memory")) {
    text +=
        "memory=()\n"
        "if [ \"${SLURM_MEM_PER_NODE:-0}\" -gt 0 ]; then\n"
        "  memory=(--memory \"$((SLURM_MEM_PER_NODE * 4 / 5))M\")\n"
        "elif [ \"${SLURM_MEM_PER_CPU:-0}\" -gt 0 ]; then\n"
        "  memory=(--memory \"$((SLURM_MEM_PER_CPU * ${SLURM_CPUS_PER_TASK:-1} * 4 / 5))M\")\n"
        "fi\n";
    more += " \"${memory[@]}\"";
  }
  // Replaces the shell, so that Slurm's signals reach the worker.
  text += "exec " + quoted(program.string());
  for (const std::string& argument : arguments) text += " " + quoted(argument);
  return text + more + " --quiet\n";
}

std::string submit(const std::string& name, const std::vector<std::string>& arguments,
                   const Joining& how) {
  if (how.slurm.find('\n') != std::string::npos)
    throw UsageError("--slurm takes the options of sbatch in one line");
  const WorkFolder folder(how.folder);
  std::error_code failure;
  fs::create_directories(folder.slurm_folder(), failure);
  if (failure)
    throw Error("cannot create '" + folder.slurm_folder().string() + "': " + failure.message());
  const fs::path script = how.folder / "job.sh";
  write_file_atomically(script, job_script(name, arguments, how));
  const auto outcome = run_command({"sbatch", "--parsable", script.string()});
  if (!outcome)
    throw Error(
        "there is no sbatch on this machine: --on slurm is for machines from which jobs "
        "can be submitted. '" +
        script.string() +
        "' is written; give it to sbatch there, or start workers by "
        "hand: semblance " +
        arguments.front() + " ... --join " + quoted(how.folder.string()));
  if (outcome->exit != 0)
    throw Error("sbatch refused the job: " + trimmed(outcome->errors + outcome->output) +
                "; the submitted script is '" + script.string() + "'");
  std::string job = job_number(outcome->output);
  Json known = WorkFolder::read(folder.jobs_file());
  if (!known.is_array()) known = Json::array();
  known.push_back({{"job", job}, {"tasks", how.jobs}, {"at", utc_now()}});
  WorkFolder::write(folder.jobs_file(), known);
  return job;
}

std::optional<QueuedTasks> queued_tasks(const WorkFolder& folder) {
  const auto jobs = jobs_of(folder);
  if (jobs.empty()) return std::nullopt;
  QueuedTasks tasks;
  // One at a time: squeue refuses the numbers of jobs that ended long ago.
  bool any = false;
  for (const std::string& job : jobs) {
    const auto outcome =
        run_command({"squeue", "--noheader", "--array", "--format=%T", "--jobs=" + job});
    if (!outcome) return std::nullopt;
    // Slurm forgets jobs some minutes after they have ended.
    const bool forgotten = outcome->errors.find("Invalid job id") != std::string::npos;
    if (outcome->exit != 0 && !forgotten) continue;
    any = true;
    if (forgotten) continue;
    std::istringstream lines(outcome->output);
    for (std::string state; lines >> state;) ++(state == "PENDING" ? tasks.waiting : tasks.running);
  }
  return any ? std::optional(tasks) : std::nullopt;
}

std::size_t submitted_tasks(const WorkFolder& folder) {
  std::size_t tasks = 0;
  const Json known = WorkFolder::read(folder.jobs_file());
  if (known.is_array())
    for (const Json& job : known) tasks += job.value("tasks", std::size_t{0});
  return tasks;
}

std::size_t cancel_jobs(const WorkFolder& folder) {
  const auto jobs = jobs_of(folder);
  if (jobs.empty()) return 0;
  std::vector<std::string> words = {"scancel"};
  words.insert(words.end(), jobs.begin(), jobs.end());
  const auto outcome = run_command(words);
  if (!outcome)
    throw Error(
        "there is no scancel on this machine; running workers stop by themselves, and waiting ones "
        "end as soon as they start. The jobs are " +
        joined(jobs));
  if (outcome->exit != 0) throw Error("scancel: " + trimmed(outcome->errors + outcome->output));
  return jobs.size();
}

}  // namespace semblance::cli
