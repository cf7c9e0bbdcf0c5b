// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <set>

#include "shared_studies.hpp"
#include "studies.hpp"

namespace slurm_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

/// Fake commands of that name in ./bin, which record their calls and run the given script.
void fake(const Workplace& work, const std::string& name, const std::string& does) {
  work.file("bin/" + name, "#!/bin/sh\necho \"" + name + " $*\" >>" + work.path.string() +
                               "/calls\n" + does + "\n");
  fs::permissions(work.path / "bin" / name, fs::perms::owner_all);
}

/// Runs the program with these commands first in the path.
Workplace::Outcome with_commands(const Workplace& work, const std::string& arguments) {
  return work.shell("PATH=" + (work.path / "bin").string() + ":$PATH \"$program\" " + arguments);
}

const std::string submitting =
    "ablate s.yaml --on slurm --jobs 3 --slurm '--time=2:00:00 --mem=16G' --out 'my out'";

/// One machine as a cluster, gone at the end.
class Cluster {
 public:
  explicit Cluster(const Workplace& work) : work_(work) {
    const auto outcome = work.shell("bash " SEMBLANCE_CLUSTER " start " + folder());
    runs_ = outcome.exit == 0;
    if (!runs_) MESSAGE("skipped: " << outcome.output);
    // 77: skipped, there is no Slurm.
    CHECK((runs_ || outcome.exit == 77));
  }
  ~Cluster() {
    if (runs_) work_.shell("scancel --user=root; bash " SEMBLANCE_CLUSTER " stop " + folder());
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  bool runs() const { return runs_; }
  Workplace::Outcome operator()(const std::string& script) const {
    return work_.shell("export SLURM_CONF=" + folder() + "/slurm.conf\n" + script);
  }

 private:
  std::string folder() const { return (work_.path / "cluster").string(); }

  const Workplace& work_;
  bool runs_ = false;
};

/// 200 variants, a few seconds of work.
std::string two_hundred_variants() {
  return R"(name: many
study:
  metric: test.error_rate
  slots:
    x: {path: nodes.x.is, values: [normalizer/zscore, normalizer/mean_norm]}
    C: {path: nodes.svm.C, values: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300]}
  repeats: {seeds: 10}
nodes:
  glyphs: {is: source/glyphs, train_per_class: 20, test_per_class: 10}
  hog: {is: feature/hog, cell: 4, from: glyphs}
  x:   {is: normalizer/zscore, from: hog}
  svm: {is: solver/linear_svm, from: x}
  test: {is: evaluator/classification, from: svm}
)";
}

/// Kills one of the working workers in ./out that were not killed yet. False if there is none.
bool kill_one(const Workplace& work, std::mt19937& random, std::set<std::int64_t>& killed) {
  std::vector<std::int64_t> at_work;
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator(work.path / "out/joint/workers", ignored)) {
    const fs::path file = item.path() / "worker.json";
    if (!fs::exists(file)) continue;
    const auto worker =
        nlohmann::json::parse(work.content(file.lexically_relative(work.path).string()));
    const std::int64_t pid = worker.at("pid");
    if (worker.at("state") != "ended" && !killed.contains(pid)) at_work.push_back(pid);
  }
  if (at_work.empty()) return false;
  const std::int64_t chosen = at_work[random() % at_work.size()];
  if (::kill(static_cast<pid_t>(chosen), SIGKILL) != 0) return false;
  killed.insert(chosen);
  return true;
}

/// Waits until it is so, for at most two minutes.
template <class Condition>
bool comes_true(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    ::usleep(100'000);
  }
  return false;
}

}  // namespace

TEST_CASE("--on slurm writes and submits one array of workers, and each of its tasks is one") {
  const Workplace work;
  work.file("s.yaml", small_study());
  fake(work, "sbatch", "echo 'sbatch: a remark' >&2; echo '41;cluster'");
  const auto submitted = with_commands(work, submitting);
  INFO(submitted.output);
  REQUIRE(submitted.exit == 0);
  CHECK(contains(submitted, "job 41 with 3 workers; semblance study status '"));
  const std::string script = (work.path / "my out/job.sh").string();
  CHECK(work.content("calls") == "sbatch --parsable " + script + "\n");
  const std::string job = work.content("my out/job.sh");
  INFO(job);
  CHECK(contains(job, "#SBATCH --array=1-3\n"));
  CHECK(contains(job, "#SBATCH --job-name=semblance-small_study\n"));
  CHECK(contains(job, "#SBATCH --time=2:00:00 --mem=16G\n"));
  CHECK(contains(job, "/my out/joint/slurm/%A_%a.log\"\n"));
  CHECK(contains(work.succeed("study status 'my out'"), "no worker has begun yet"));
  CHECK(fs::is_empty(work.path / "my out/joint/workers"));

  // Like Slurm: from another folder, with the task's environment.
  const auto task = work.shell(
      "cd / && SLURM_CPUS_PER_TASK=1 SLURM_MEM_PER_NODE=2000 SLURM_ARRAY_JOB_ID=41 "
      "SLURM_ARRAY_TASK_ID=2 bash '" +
      script + "'");
  INFO(task.output);
  REQUIRE(task.exit == 0);
  work.succeed("ablate s.yaml --no-cache --quiet --out plain");
  CHECK(work.content("my out/table.csv") == work.content("plain/table.csv"));
  const auto metrics = work.metrics("my out");
  CHECK(metrics.at("threads") == 1);

  fake(work, "squeue", "echo PENDING; echo RUNNING; echo PENDING");
  fake(work, "scancel", "exit 0");
  CHECK(contains(with_commands(work, "study status 'my out'"),
                 "submitted tasks: 1 running, 2 waiting in the queue"));
  const auto cancelled = with_commands(work, "study cancel 'my out'");
  CHECK(contains(cancelled, "1 job cancelled"));
  CHECK(contains(work.content("calls"), "scancel 41\n"));
  // Submitting again continues it.
  CHECK(with_commands(work, submitting).exit == 0);
  CHECK_FALSE(fs::exists(work.path / "my out/joint/cancelled"));
}

TEST_CASE("where all tasks have ended without beginning, the status says so, and why") {
  const Workplace work;
  work.file("s.yaml", small_study());
  fake(work, "sbatch", "echo 41");
  REQUIRE(with_commands(work, submitting).exit == 0);
  // The state after a failure under Slurm, for example if a plugin is missing on its machines.
  for (const char* task : {"41_1", "41_2", "41_3"})
    work.file("my out/joint/slurm/" + std::string(task) + ".log",
              "warning: something\nsemblance: plugin path '/none' does not exist\n\n");
  fake(work, "squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  const auto status = with_commands(work, "study status 'my out'");
  INFO(status.output);
  CHECK(contains(status,
                 "no worker has begun: the 3 tasks of the jobs that were submitted have ended"));
  CHECK(contains(status, "ended: semblance: plugin path '/none' does not exist ("));
  CHECK(contains(status, "41_1.log and 2 more)"));
  const auto collected = with_commands(work, "study collect 'my out'");
  INFO(collected.output);
  CHECK(collected.exit == 1);
  CHECK(contains(collected, "24 variants, 0 failed, 24 not finished;"));
}

TEST_CASE("a worker that gives up is named by the status, with its reason") {
  const Workplace work;
  work.file("s.yaml", small_study());
  const auto worker = work("ablate s.yaml --join out --quiet --memory 99M");
  INFO(worker.output);
  REQUIRE(worker.exit == 1);
  const auto status = work.succeed("study status out");
  INFO(status.output);
  CHECK(contains(status, "no worker has managed to begin"));
  CHECK(contains(status, "ended: "));
  CHECK(contains(status, "--memory"));
}

TEST_CASE("what a selection inside a run leaves open is submitted as well") {
  const Workplace work;
  work.file("p.yaml",
            "name: p\nselect:\n  metric: test.error_rate\n  folds: 3\n  parameters:\n    C: {path: "
            "nodes.svm.C, values: [0.01, 1]}\nnodes:\n  glyphs: {is: source/glyphs, "
            "train_per_class: 9}\n  svm: {is: solver/linear_svm, from: f}\n  f: {is: "
            "feature/pixels, from: glyphs}\n  test: {is: evaluator/classification, from: svm}\n");
  fake(work, "sbatch", "echo 7");
  const auto submitted = with_commands(
      work, "run p.yaml --on slurm --jobs 2 --threads 1 --memory 1G --seed 4 --out out");
  INFO(submitted.output);
  REQUIRE(submitted.exit == 0);
  const std::string job = work.content("out/job.sh");
  INFO(job);
  CHECK(contains(job, " --seed 4 "));
  CHECK(contains(job, " --threads 1 --memory 1G --quiet"));
  CHECK_FALSE(contains(job, "SLURM_CPUS_PER_TASK"));
  REQUIRE(work.shell("bash out/job.sh").exit == 0);
  work.succeed("run p.yaml --no-cache --quiet --seed 4 --out plain");
  CHECK(results_of(work, "out") == results_of(work, "plain"));
}

TEST_CASE("workers that are submitted compute on the device that was asked for") {
  const Workplace work;
  work.file("s.yaml", small_study());
  fake(work, "sbatch", "echo 7");
  const std::string submit = "ablate s.yaml --on slurm --jobs 2 ";
  const auto submitted = with_commands(work, submit + "--device gpu --out out");
  INFO(submitted.output);
  CHECK(submitted.exit == 0);
  CHECK(contains(work.content("out/job.sh"), " --device gpu "));
  CHECK(with_commands(work, submit + "--device tpu --out other").exit == 2);
}

TEST_CASE("without sbatch, or where it refuses, one message says so") {
  const Workplace work;
  work.file("s.yaml", small_study());
  const auto missing = work.shell("PATH=/nonexistent \"$program\" " + submitting);
  INFO(missing.output);
  CHECK(missing.exit == 1);
  CHECK(contains(missing, "there is no sbatch on this machine"));
  CHECK(contains(missing, "job.sh' is written"));
  fake(work, "sbatch", "echo 'sbatch: error: invalid partition specified: no' >&2; exit 1");
  const auto refused = with_commands(work, submitting);
  CHECK(refused.exit == 1);
  CHECK(
      contains(refused, "sbatch refused the job: sbatch: error: invalid partition specified: no"));
  fake(work, "sbatch", "echo nothing");
  CHECK(contains(with_commands(work, submitting), "did not report the job's number: nothing"));
  // A study with a mistake is not submitted.
  work.file("wrong.yaml", "name: w\n");
  CHECK(with_commands(work, "ablate wrong.yaml --on slurm --jobs 2 --out w").exit == 2);
  CHECK_FALSE(fs::exists(work.path / "w"));
}

TEST_CASE("200 variants over 20 tasks of Slurm, a tenth of them killed, end in the same table") {
  const Workplace work;
  const Cluster cluster(work);
  if (!cluster.runs()) return;
  work.file("s.yaml", two_hundred_variants());
  work.succeed("ablate s.yaml --no-cache --quiet --out plain");
  const std::string submit = "\"$program\" ablate s.yaml --on slurm --jobs 20 --out out";
  const auto submitted = cluster(submit + " --slurm '--ntasks=1 --cpus-per-task=1'");
  INFO(submitted.output);
  REQUIRE(submitted.exit == 0);
  const std::string job = nlohmann::json::parse(work.content("out/joint/jobs.json"))[0].at("job");
  std::mt19937 random(5);
  std::set<std::int64_t> killed;
  CHECK(comes_true([&] { return kill_one(work, random, killed) && killed.size() == 2; }));
  const auto none_left = [&] {
    return cluster("squeue --noheader --jobs=" + job).output.empty() ||
           cluster("squeue --noheader").output.empty();
  };
  CHECK(comes_true(none_left));
  const auto resubmitted = cluster(submit);
  INFO(resubmitted.output);
  REQUIRE(resubmitted.exit == 0);
  const auto finished = [&] {
    const auto status = status_of(work, "out");
    return status.at("complete") == true && !status.at("parts").empty() &&
           status.at("parts")[0].at("results_written") == true;
  };
  CHECK(comes_true(finished));
  CHECK(work.content("out/table.csv") == work.content("plain/table.csv"));
  CHECK(work.content("out/study.json") == work.content("plain/study.json"));
}

}  // namespace slurm_test
