// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/joining.hpp"

namespace semblance::cli {

/// The script of a job array of workers, to be passed to sbatch any number of times. Every task is
/// one worker: this program with `arguments`, and with the threads and the memory that Slurm gives
/// the task, unless the arguments set them.
std::string job_script(const std::string& name, const std::vector<std::string>& arguments,
                       const Joining& how);

/// Writes FOLDER/job.sh and submits it. Returns the job's number. Throws Error with the message of
/// sbatch where it refuses, and where there is none.
std::string submit(const std::string& name, const std::vector<std::string>& arguments,
                   const Joining& how);

/// How many tasks of the jobs submitted for this folder are waiting and running; nothing where
/// squeue has no answer.
struct QueuedTasks {
  std::size_t waiting = 0;
  std::size_t running = 0;
};
std::optional<QueuedTasks> queued_tasks(const WorkFolder& folder);

/// How many tasks the jobs submitted for this folder had.
std::size_t submitted_tasks(const WorkFolder& folder);

/// Ends the jobs submitted for this folder. Returns their number; throws Error where scancel is
/// missing or refuses.
std::size_t cancel_jobs(const WorkFolder& folder);

}  // namespace semblance::cli
