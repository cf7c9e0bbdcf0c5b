// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/joining.hpp"

namespace semblance::cli {

/// The script of a job array of workers, to be given to sbatch as often as one likes. Every task is
/// one worker: this program with `arguments`, and with the threads and the memory that Slurm gives
/// the task, where the arguments do not name others.
std::string job_script(const std::string& name, const std::vector<std::string>& arguments,
                       const Joining& how);

/// Writes FOLDER/job.sh and submits it. Returns the job's number. Throws Error with what sbatch
/// says where it refuses, and where there is none.
std::string submit(const std::string& name, const std::vector<std::string>& arguments,
                   const Joining& how);

/// How many tasks of the jobs that were submitted for this folder wait and run; nothing where
/// squeue does not say.
struct QueuedTasks {
  std::size_t waiting = 0;
  std::size_t running = 0;
};
std::optional<QueuedTasks> queued_tasks(const WorkFolder& folder);

/// How many tasks the jobs had that were submitted for this folder.
std::size_t submitted_tasks(const WorkFolder& folder);

/// Ends the jobs that were submitted for this folder. Returns how many; throws Error where scancel
/// is missing or refuses.
std::size_t cancel_jobs(const WorkFolder& folder);

}  // namespace semblance::cli
