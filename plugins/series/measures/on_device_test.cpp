// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "elastic_pairs_testing.hpp"
#include "measures/elastic_testing.hpp"

namespace semblance::series::on_device_test {
namespace {

using namespace testing;

struct Measure {
  std::string_view id;
  Parameters values;
};

std::vector<Measure> measures() {
  return {{"similarity/dtw", {}},
          {"similarity/wdtw", {{"g", 0.1}}},
          {"similarity/erp", {{"g", 0.5}}},
          {"similarity/msm", {{"c", 0.3}}},
          {"similarity/twe", {{"nu", 0.01}, {"lambda", 0.2}}},
          {"similarity/edr", {{"epsilon", 0.4}}},
          {"similarity/lcss", {{"epsilon", 0.4}}}};
}

struct Compared {
  FloatMatrix values;
  std::size_t started = 0;  // kernels
};

/// Compares the samples with bases in a context whose device is a model.
Compared on_device(const Measure& of, const Layout& layout, const FloatMatrix& bases,
                   const FloatMatrix& samples) {
  gpu::ModelDevice device;
  gpu::add_elastic_pairs(device);
  gpu::DeviceContext context(device);
  const auto measure = make_component<Similarity>(of.id, of.values);
  measure->bind(layout);
  measure->set_bases(bases.view(), std::vector<std::int64_t>(bases.rows), context);
  Compared result{FloatMatrix(samples.rows, bases.rows), 0};
  measure->apply(samples.view(), result.values.view(), context);
  result.started = device.started;
  return result;
}

/// The greatest difference from the CPU's distances, relative to them.
double difference(const Measure& of, const Layout& layout, const FloatMatrix& bases,
                  const FloatMatrix& samples, const FloatMatrix& values) {
  const FloatMatrix expected =
      compare(*measure_of(of.id, of.values, layout, bases), samples.view());
  double worst = 0;
  for (std::size_t k = 0; k < values.values.size(); ++k) {
    const double d = expected.values[k];
    const double apart = std::abs(values.values[k] - d) / std::max(std::abs(d), 1e-6);
    if (!(apart <= worst)) worst = apart;
  }
  return worst;
}

TEST_CASE("a GPU computes the distances of the CPU, for any lengths, windows and channels") {
  struct Channels {
    std::size_t count;
    std::string are;
  };
  for (const auto& [channels, are] :
       {Channels{1, "dependent"}, {3, "independent"}, {2, "dependent"}, {5, "dependent"}})
    for (const double window : {5.0, 100.0})
      for (Measure of : measures()) {
        const bool dependent = channels > 1 && are == "dependent";
        of.values.emplace_back("as", std::string("negative"));
        of.values.emplace_back("window", window);
        of.values.emplace_back("channels", are);
        CAPTURE(of.id);
        const Layout layout = Layout::sequence(120, channels);
        const FloatMatrix bases = rows_of(layout, random_walks(40, layout, 1, 1)),
                          samples = rows_of(layout, random_walks(9, layout, 1, 2));
        const Compared on_gpu = on_device(of, layout, bases, samples);
        CHECK(on_gpu.started == (dependent ? 1 : channels));
        // 4 * 240 * 2^-24, and the rounding of the results.
        CHECK(difference(of, layout, bases, samples, on_gpu.values) <= 6e-5);
      }
}

TEST_CASE("a similarity learns its width on a GPU, and is the CPU's") {
  for (const Measure& of : measures()) {
    CAPTURE(of.id);
    const Layout layout = Layout::sequence(100, 1);
    const FloatMatrix bases = rows_of(layout, random_walks(40, layout, 80, 1)),
                      samples = rows_of(layout, random_walks(9, layout, 80, 2));
    const Compared on_gpu = on_device(of, layout, bases, samples);
    CHECK(on_gpu.started == 41);
    CHECK(difference(of, layout, bases, samples, on_gpu.values) <= 3e-4);
  }
}

TEST_CASE("the CPU compares new series that are longer than the layout says") {
  const Layout layout = Layout::sequence(100, 1), longer = Layout::sequence(150, 1);
  const FloatMatrix bases = rows_of(layout, random_walks(40, layout, 1, 1));
  FloatMatrix samples = rows_of(longer, random_walks(12, longer, 60, 2));
  samples.cols = layout.size();
  std::size_t runs = 0;  // of samples that are not longer
  for (std::size_t i = 0; i < samples.rows; ++i)
    runs += samples.view().size(i) <= 100 && (i == 0 || samples.view().size(i - 1) > 100);
  REQUIRE(runs > 1);
  for (Measure of : measures()) {
    CAPTURE(of.id);
    of.values.emplace_back("as", std::string("negative"));
    const Compared on_gpu = on_device(of, layout, bases, samples);
    CHECK(on_gpu.started == runs);
    CHECK(difference(of, layout, bases, samples, on_gpu.values) <= 6e-5);
  }
  const Compared on_gpu =
      on_device({"similarity/dtw", {{"width", std::string("3")}}}, layout, samples, bases);
  CHECK(on_gpu.started == 0);
}

TEST_CASE("the CPU computes what the GPU's kernels do not") {
  const auto started = [](const Measure& of, const Layout& layout, std::size_t bases) {
    Measure given = of;
    given.values.emplace_back("width", std::string("3"));
    const FloatMatrix rows = rows_of(layout, random_walks(bases, layout, layout.width, 1));
    return on_device(given, layout, rows, rows).started;
  };
  CHECK(started({"similarity/dtw", {}}, Layout::sequence(200, 1), 20) == 1);
  // Few bases, short series, soft-DTW.
  CHECK(started({"similarity/dtw", {}}, Layout::sequence(200, 1), 10) == 0);
  CHECK(started({"similarity/dtw", {}}, Layout::sequence(20, 1), 20) == 0);
  CHECK(started({"similarity/soft_dtw", {}}, Layout::sequence(200, 1), 20) == 0);
  // Sums over so many steps take twice float32's digits.
  CHECK(started({"similarity/dtw", {{"window", 0.0}}}, Layout::sequence(4097, 1), 16) == 0);
  CHECK(started({"similarity/dtw", {{"window", 0.0}}}, Layout::sequence(4096, 1), 16) == 1);
}

TEST_CASE("a measure on a GPU is symmetric, and ranges of bases have the same bits") {
  const Layout layout = Layout::sequence(120, 1);
  const FloatMatrix rows = rows_of(layout, random_walks(40, layout, 1, 1));
  for (Measure of : measures()) {
    CAPTURE(of.id);
    of.values.emplace_back("window", 10.0);
    of.values.emplace_back("width", std::string("3"));
    gpu::ModelDevice device;
    gpu::add_elastic_pairs(device);
    gpu::DeviceContext context(device);
    const auto measure = make_component<Similarity>(of.id, of.values);
    measure->bind(layout);
    measure->set_bases(rows.view(), std::vector<std::int64_t>(rows.rows), context);
    FloatMatrix all(40, 40), some(40, 7);
    measure->apply(rows.view(), all.view(), context);
    measure->apply_range(rows.view(), 30, some.view(), context);
    REQUIRE(device.started == 2);
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t j = 0; j < i; ++j) REQUIRE(all.view().row(i)[j] == all.view().row(j)[i]);
      REQUIRE(std::equal(some.view().row(i), some.view().row(i) + 7, all.view().row(i) + 30));
    }
  }
}

}  // namespace
}  // namespace semblance::series::on_device_test
