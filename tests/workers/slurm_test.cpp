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

TEST_CASE("200 variants over 20 tasks of Slurm, a tenth of them killed, end in the same table") {
  const Workplace work;
  const Cluster cluster(work);
  if (!cluster.runs()) return;
  work.file("s.yaml", two_hundred_variants());
  work.succeed("ablate s.yaml --no-cache --quiet --out plain");
  work.file("worker.sh",
            "#!/bin/bash\nexec \"$program\" ablate s.yaml --join out "
            "--threads \"${SLURM_CPUS_PER_TASK:-1}\" --memory 500M --quiet\n");
  const std::string submit =
      "export program; sbatch --parsable --array=1-20 --ntasks=1 --cpus-per-task=1 worker.sh";
  const auto submitted = cluster(submit);
  INFO(submitted.output);
  REQUIRE(submitted.exit == 0);
  std::mt19937 random(5);
  std::set<std::int64_t> killed;
  CHECK(comes_true([&] { return kill_one(work, random, killed) && killed.size() == 2; }));
  const auto none_left = [&] { return cluster("squeue --noheader").output.empty(); };
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
