// SPDX-License-Identifier: MIT
// Speed of the similarity kernels on one thread, as a fraction of OpenBLAS's sgemm. Each round
// times one product and one block of similarities in turn, so that both see the same machine; the
// best round of each counts:
//
//     similarity_bench --benchmark_filter=rigid --benchmark_min_time=5
//
// GFLOP/s counts 2 operations per product of values that zero padding leaves, for any method of
// computing the result. Names with bf16 compare that precision with float32: on AMX where the
// machine has it, as the label says.

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "semblance/plugin_testing.hpp"
#include "semblance/similarity.hpp"
#include "semblance_numerics/sparse_testing.hpp"
#include "tiles/tile_unit.hpp"

namespace semblance {
namespace {

using Values = std::map<std::string, Value>;

// Rows of norm one on average, like the normalized features of the paper.
FloatMatrix normal_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  FloatMatrix matrix(rows, cols);
  const double scale = 1 / std::sqrt(static_cast<double>(cols));
  for (float& x : matrix.values) x = static_cast<float>(scale * random.normal());
  return matrix;
}

// CPU time of this thread, so that other programs on the machine matter little.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds(Work&& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

// 1024 x 2500 x 1984, the product of the largest features with as many bases.
class Sgemm {
 public:
  Sgemm() : a_(normal_rows(1024, 1984, 1)), b_(normal_rows(2500, 1984, 2)), c_(1024, 2500) {}

  double operations() const { return 2.0 * 1024 * 2500 * 1984; }
  void operator()() {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 1024, 2500, 1984, 1, a_.values.data(),
                1984, b_.values.data(), 1984, 0, c_.values.data(), 2500);
  }

 private:
  FloatMatrix a_, b_, c_;
};

std::unique_ptr<Similarity> make(const std::string& id, const Values& values) {
  return testing::make_component<Similarity>(id, {values.begin(), values.end()});
}

// The number of pairs of cells inside the grid in one direction.
double pairs(std::int64_t cells, std::int64_t reach) {
  double sum = 0;
  for (std::int64_t z = -reach; z <= reach; ++z)
    sum += static_cast<double>(std::max<std::int64_t>(cells - std::abs(z), 0));
  return sum;
}

// Similarities of 256 rows and 2500 bases.
class Block {
 public:
  Block(std::unique_ptr<Similarity> measure, const Layout& layout)
      : Block(std::move(measure), layout, normal_rows(bases, layout.size(), 3),
              normal_rows(rows, layout.size(), 4)) {}

  Block(std::unique_ptr<Similarity> measure, const Layout& layout, const FloatMatrix& of_bases,
        FloatMatrix samples)
      : measure_(std::move(measure)), samples_(std::move(samples)) {
    measure_->bind(layout);
    std::vector<std::int64_t> indices(bases);
    std::iota(indices.begin(), indices.end(), 0);
    measure_->set_bases(of_bases.view(), indices, context_);
  }

  static constexpr std::size_t rows = 256, bases = 2500;
  static constexpr double pairs() { return double(rows) * double(bases); }
  void operator()() { measure_->apply(samples_.view(), result_.view(), context_); }

 private:
  testing::TestContext context_{1};
  std::unique_ptr<Similarity> measure_;
  FloatMatrix samples_, result_{rows, bases};
};

/// The least of several times.
struct Best {
  double time = std::numeric_limits<double>::infinity();
  double add(double t) {
    time = std::min(time, t);
    return t;
  }
};

void compare(const std::string& id, benchmark::State& state, const Values& values,
             const Layout& layout, double operations_a_pair) {
  Sgemm sgemm;
  Block block(make(id, values), layout);
  sgemm();
  Best product, own;
  for (auto _ : state) {
    product.add(seconds(sgemm));
    state.SetIterationTime(own.add(seconds(block)));
  }
  const double product_rate = sgemm.operations() / product.time / 1e9;
  const double own_rate = operations_a_pair * Block::pairs() / own.time / 1e9;
  state.counters["GFLOP/s"] = own_rate;
  state.counters["sgemm"] = product_rate;
  state.counters["of_sgemm"] = own_rate / product_rate;
}

/// The same measure in bf16, compared with float32 and sgemm.
void compare_bf16(const std::string& id, benchmark::State& state, const Values& values,
                  const Layout& layout, double operations_a_pair) {
  Sgemm sgemm;
  Values rounded = values;
  rounded["precision"] = std::string("bf16");
  Block fp32(make(id, values), layout);
  Block bf16(make(id, rounded), layout);
  sgemm();
  Best product, full, half;
  for (auto _ : state) {
    product.add(seconds(sgemm));
    full.add(seconds(fp32));
    state.SetIterationTime(half.add(seconds(bf16)));
  }
  const double product_rate = sgemm.operations() / product.time / 1e9;
  const double operations = operations_a_pair * Block::pairs() / 1e9;
  state.SetLabel(vectors::amx_available() ? "AMX" : "emulated: no AMX here");
  state.counters["GFLOP/s"] = operations / half.time;
  state.counters["fp32"] = operations / full.time;
  state.counters["sgemm"] = product_rate;
  state.counters["of_fp32"] = full.time / half.time;
  state.counters["of_sgemm"] = operations / half.time / product_rate;
}

/// Inner products of sparse samples, compared with the dense form of the same samples.
void compare_sparse(benchmark::State& state, double density) {
  constexpr std::size_t columns = 2000;
  const FloatMatrix bases = testing::sparse_rows(Block::bases, columns, density, 3);
  const FloatMatrix samples = testing::sparse_rows(Block::rows, columns, density, 4);
  Block sparse(make("similarity/linear", {}), Layout::sparse(columns), bases, samples);
  Block dense(make("similarity/linear", {}), Layout::vector(columns),
              testing::laid_out(bases.view()), testing::laid_out(samples.view()));
  Best entries, all;
  for (auto _ : state) {
    all.add(seconds(dense));
    state.SetIterationTime(entries.add(seconds(sparse)));
  }
  state.counters["dense_ms"] = 1e3 * all.time;
  state.counters["times_as_fast"] = all.time / entries.time;
}

template <class Run>
void add(const char* name, Run run) {
  benchmark::RegisterBenchmark(name, run)->UseManualTime()->Unit(benchmark::kMillisecond);
}

using std::int64_t;

Layout grid(int64_t cells) {
  const auto side = static_cast<std::size_t>(cells);
  return Layout::grid(side, side, 31);
}

// Operations per pair of samples, with cells moving by at most `reach`.
double direct(int64_t cells, int64_t reach) {
  return 62 * pairs(cells, reach) * pairs(cells, reach);
}

void rigid(benchmark::State& s, int64_t cells, int64_t shift, const char* method) {
  compare("similarity/rigid", s, {{"shift", shift}, {"method", std::string(method)}}, grid(cells),
          direct(cells, shift));
}

void deformable(benchmark::State& s, int64_t cells, int64_t shift, int64_t local) {
  compare("similarity/deformable", s, {{"shift", shift}, {"local", local}}, grid(cells),
          direct(cells, shift + local));
}

void rigid_bf16(benchmark::State& s, int64_t cells, int64_t shift) {
  compare_bf16("similarity/rigid", s, {{"shift", shift}}, grid(cells), direct(cells, shift));
}

void deformable_bf16(benchmark::State& s, int64_t cells, int64_t shift, int64_t local) {
  compare_bf16("similarity/deformable", s, {{"shift", shift}, {"local", local}}, grid(cells),
               direct(cells, shift + local));
}

void add_all() {
  const Layout small = Layout::vector(496), large = Layout::vector(1984);
  add("sparse/1%", [](auto& s) { compare_sparse(s, 0.01); });
  add("sparse/10%", [](auto& s) { compare_sparse(s, 0.1); });
  add("sparse/50%", [](auto& s) { compare_sparse(s, 0.5); });
  add("linear/1984", [=](auto& s) { compare("similarity/linear", s, {}, large, 2 * 1984); });
  add("rbf/496", [=](auto& s) { compare("similarity/rbf", s, {}, small, 2 * 496); });
  add("rbf/1984", [=](auto& s) { compare("similarity/rbf", s, {}, large, 2 * 1984); });
  add("rigid_H4(2,0)/direct", [](auto& s) { rigid(s, 8, 2, "direct"); });
  add("rigid_H4(2,0)/transform", [](auto& s) { rigid(s, 8, 2, "transform"); });
  add("rigid_H8(1,0)/transform", [](auto& s) { rigid(s, 4, 1, "transform"); });
  add("rigid_H8(1,0)/direct", [](auto& s) { rigid(s, 4, 1, "direct"); });
  add("deformable_H4(0,1)", [](auto& s) { deformable(s, 8, 0, 1); });
  add("deformable_H4(1,1)", [](auto& s) { deformable(s, 8, 1, 1); });
  add("deformable_H4(2,1)", [](auto& s) { deformable(s, 8, 2, 1); });
  add("deformable_H8(0,1)", [](auto& s) { deformable(s, 4, 0, 1); });
  // Rigid in float32 is the faster method.
  add("bf16/linear/1984",
      [=](auto& s) { compare_bf16("similarity/linear", s, {}, large, 2 * 1984); });
  add("bf16/rbf/496", [=](auto& s) { compare_bf16("similarity/rbf", s, {}, small, 2 * 496); });
  add("bf16/rigid_H4(2,0)", [](auto& s) { rigid_bf16(s, 8, 2); });
  add("bf16/rigid_H8(1,0)", [](auto& s) { rigid_bf16(s, 4, 1); });
  add("bf16/deformable_H4(0,1)", [](auto& s) { deformable_bf16(s, 8, 0, 1); });
  add("bf16/deformable_H4(2,1)", [](auto& s) { deformable_bf16(s, 8, 2, 1); });
}

}  // namespace
}  // namespace semblance

extern "C" void openblas_set_num_threads(int);

int main(int argc, char** argv) {
  openblas_set_num_threads(1);
  semblance::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
