// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "pipelines.hpp"
#include "program.hpp"

namespace device_test {

using namespace semblance::testing;

/// A map that is large enough for a GPU.
constexpr const char* pipeline = R"(name: on_a_device
seed: 1
nodes:
  points: {is: source/clusters, classes: 3, columns: 64, train: 600, test: 300}
  bases:  {is: basis/random, count: 300, from: points}
  map:    {is: similarity/rbf, gamma: 0.01, from: points, bases: bases}
  svm:    {is: solver/linear_svm, from: map}
  test:   {is: evaluator/classification, from: svm}
)";

TEST_CASE("without a GPU the reason is given, and auto computes what the CPU does") {
  const Workplace work;
  work.file("p.yaml", pipeline);
  const auto on_gpu = work("run p.yaml --device gpu --out gpu --no-cache");
  const auto doctor = work("doctor");
  work.succeed("run p.yaml --out cpu --no-cache");
  work.succeed("run p.yaml --device auto --out auto --no-cache");
  CHECK_FALSE(work.metrics("cpu").contains("device"));
  if (on_gpu.exit == 0) {
    MESSAGE("there is a GPU");
    const std::string name = work.metrics("gpu").at("device");
    CHECK(contains(doctor, name));
    CHECK(work.metrics("auto").at("device") == name);
    CHECK(predictions(work, "auto") == predictions(work, "gpu"));
    return;
  }
  CHECK(on_gpu.exit == 1);
  CHECK(contains(on_gpu, "--device gpu: "));
  CHECK(contains(on_gpu, "GPU"));
  CHECK(contains(doctor, "GPU: no: "));
  CHECK_FALSE(work.metrics("auto").contains("device"));
  CHECK(results_of(work, "auto") == results_of(work, "cpu"));
  CHECK(predictions(work, "auto") == predictions(work, "cpu"));
}

}  // namespace device_test
