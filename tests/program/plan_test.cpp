// SPDX-License-Identifier: MIT
// The output of `plan --ranks` without a run.
#include <doctest/doctest.h>

#include "program.hpp"

namespace plan_test {

using namespace semblance::testing;

namespace {

constexpr const char* pipeline = R"(name: planned
nodes:
  images: {is: source/glyphs, train_per_class: 100000, test_per_class: 100}
  hog:    {is: feature/hog, cell: 7, from: images}
  x:      {is: normalizer/mean_norm, from: hog}
  bases:  {is: basis/random, count: 5000, from: images}
  rbf:    {is: similarity/rbf, gamma: 1, from: x, bases: bases}
  svm:    {is: solver/linear_svm, preconditioner: diagonal, from: rbf}
  test:   {is: evaluator/classification, from: svm}
)";

nlohmann::json planned(const Workplace& work, const std::string& arguments) {
  const auto outcome = work.succeed("plan p.yaml --no-cache --json " + arguments);
  return nlohmann::json::parse(outcome.output);
}

}  // namespace

TEST_CASE("plan --ranks: rows, bytes and times of a rank, and what it sends") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  const auto of_8 = planned(work, "--ranks 8 --threads 16 --network 10Gbit");
  const auto of_64 = planned(work, "--ranks 64 --threads 16 --network 100Gbit");
  CHECK(of_8.at("ranks") == 8);
  CHECK(of_8.at("threads") == 16);
  const auto& map = of_8.at("nodes").at("rbf");
  // A million training samples, of which a rank has an eighth, and of 1,000 test samples one block.
  CHECK(map.at("rows").get<double>() == doctest::Approx(125000 + 256).epsilon(0.01));
  CHECK(map.at("kept_bytes") == map.at("rows").get<std::size_t>() * 5000 * 4);
  CHECK(of_64.at("nodes").at("rbf").at("rows").get<double>() ==
        doctest::Approx(15625 + 256).epsilon(0.04));
  CHECK(map.at("seconds").get<double>() > 0);
  CHECK(of_8.at("nodes").at("images").at("seconds").is_null());  // too large to be opened
  const auto& svm = of_8.at("nodes").at("svm");
  CHECK(svm.at("seconds").is_null());
  CHECK(svm.at("learns") == "on all ranks");
  // Ten classes of 5,001 doubles, padded.
  CHECK(svm.at("step_bytes").get<double>() == doctest::Approx(10 * 5001 * 8).epsilon(0.01));
  CHECK(svm.at("steps").is_null());
  CHECK(svm.at("step_network_seconds").get<double>() >
        of_64.at("nodes").at("svm").at("step_network_seconds").get<double>());
  CHECK_FALSE(planned(work, "--ranks 2").contains("network_bits_a_second"));
}

TEST_CASE("plan --ranks: what learns on the first rank is named, with what it is sent") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  const std::string crammer =
      "--set nodes.svm.multiclass=crammer_singer "
      "--set nodes.svm.preconditioner=automatic ";
  const auto tight = work("plan p.yaml --no-cache --ranks 64 --memory 4G " + crammer);
  CHECK(tight.exit == 0);
  CHECK(contains(tight,
                 "warning: 'svm' (solver/linear_svm) learns on the first rank, which is sent "
                 "all training rows for it, 19 GiB; with what it holds already that is "));
  CHECK(contains(tight, "more than --memory 4.0 GiB"));
  const auto json = planned(work, "--ranks 64 " + crammer);
  CHECK(json.at("nodes").at("svm").at("learns") == "on the first");
  CHECK(json.at("nodes").at("svm").at("gathered_bytes") == 1000000ULL * 5000 * 4);
  const auto small =
      work("plan p.yaml --no-cache --ranks 4 --set nodes.images.train_per_class=100 " + crammer);
  CHECK(small.exit == 0);
  CHECK_FALSE(contains(small, "warning"));
}

TEST_CASE("plan --ranks: figures that make no sense are refused, the plan of one process stays") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  work.expect("plan p.yaml --network 10Gbit", 2,
              "--network is the speed between ranks; add --ranks");
  for (const char* wrong : {"10Gbps", "fast", "0Gbit", "-1Gbit", "nan", "1e400"})
    work.expect("plan p.yaml --ranks 4 --network " + std::string(wrong), 2,
                "is not the speed of a network; write bits per second, such as 10Gbit");
  work.expect("plan p.yaml --ranks 0", 2, "--ranks must be between 1 and 100000, got 0");
  work.expect("plan p.yaml --no-cache --ranks 4 --memory 200M", 1,
              "this pipeline does not fit into --memory 200 MiB");
  const auto alone = work.succeed("plan p.yaml --no-cache --set nodes.images.train_per_class=100");
  CHECK(contains(alone, "the training time is unknown"));
  CHECK_FALSE(contains(alone, "ranks"));
}

}  // namespace plan_test
