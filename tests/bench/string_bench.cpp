// SPDX-License-Identifier: MIT
// Speed of the measures of strings on one thread: a plain scalar loop of the definition, compiled
// with -O3, and the component, in turn, so that both see the same machine; the best round of each
// counts:
//
//     string_bench --benchmark_filter=edit --benchmark_min_time=2
//
// `cells` are cells of the whole table a second; `error` is the largest difference of both results.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "blosum62.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"

namespace semblance::strings {
namespace {

using Values = testing::Parameters;
using String = std::vector<int>;
using Scalar = float (*)(const String&, const String&);

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::string amino_acids = "ACDEFGHIKLMNPQRSTVWY";

// CPU time of this thread, so that other programs on the machine matter little.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds(const Work& work) {
  const double start = processor_seconds();
  work();
  return processor_seconds() - start;
}

template <class T>
float edits(const String& x, const String& b, T insertion, T deletion, T substitution) {
  static std::vector<T> row;
  row.resize(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<T>(j) * deletion;
  for (std::size_t i = 0; i < x.size(); ++i) {
    T corner = row[0];
    row[0] = static_cast<T>(i + 1) * insertion;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const T kept = corner + (b[j] == x[i] ? T{0} : substitution);
      corner = row[j + 1];
      row[j + 1] = std::min(kept, std::min(corner + insertion, row[j] + deletion));
    }
  }
  return static_cast<float>(row[b.size()]);
}

float scalar_edit(const String& x, const String& b) { return -edits<int>(x, b, 1, 1, 1); }
float scalar_whole_edit(const String& x, const String& b) { return -edits<int>(x, b, 2, 1, 2); }
float scalar_weighted_edit(const String& x, const String& b) {
  return -edits<float>(x, b, 1.25f, 1, 1.5f);
}

float scalar_lcs(const String& x, const String& b) {
  static std::vector<int> row;
  row.assign(b.size() + 1, 0);
  for (const int symbol : x) {
    int corner = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int above = row[j + 1];
      row[j + 1] = b[j] == symbol ? corner + 1 : std::max(above, row[j]);
      corner = above;
    }
  }
  return static_cast<float>(row[b.size()]);
}

template <class Pair>
float local_alignment(const String& x, const String& b, const Pair& pair) {
  static std::vector<int> best, gaps;
  best.assign(b.size(), 0);
  gaps.assign(b.size(), 0);
  int highest = 0;
  for (const int symbol : x) {
    int corner = 0, left = 0, gap = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      gap = std::max(gap - 1, left - 12);
      gaps[j] = std::max(gaps[j] - 1, best[j] - 12);
      left = std::max(std::max(0, corner + pair(symbol, b[j])), std::max(gap, gaps[j]));
      corner = best[j];
      best[j] = left;
      highest = std::max(highest, left);
    }
  }
  return static_cast<float>(highest);
}

float scalar_plain_alignment(const String& x, const String& b) {
  return local_alignment(x, b, [](int p, int q) { return p == q ? 5 : -4; });
}

float scalar_blosum62_alignment(const String& x, const String& b) {
  static const std::vector<std::int8_t> scores =
      blosum62(symbols_of(Layout::string(1, amino_acids)));
  return local_alignment(x, b, [](int p, int q) {
    return int(scores[static_cast<std::size_t>(p) * 20 + static_cast<std::size_t>(q)]);
  });
}

float scalar_subsequence(const String& x, const String& b) {
  constexpr std::size_t length = 3;
  constexpr double decay = 0.5;
  static std::vector<double> prefixes;  // of 1 and 2 symbols, at each position of b
  prefixes.assign((length - 1) * (b.size() + 1), 0);
  double sum = 0;
  for (const int symbol : x) {
    double open[length - 1] = {}, before[length] = {1};
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double equal = b[j] == symbol ? decay * decay : 0;
      double shorter = 1;
      for (std::size_t i = 0; i + 1 < length; ++i) {
        open[i] = open[i] * decay + equal * shorter;
        double& prefix = prefixes[j * (length - 1) + i];
        shorter = before[i + 1];
        before[i + 1] = prefix;
        prefix = prefix * decay + open[i];
      }
      sum += equal * shorter;
    }
  }
  return static_cast<float>(sum);
}

FloatMatrix random_strings(std::size_t count, std::size_t symbols, std::uint64_t seed) {
  const std::vector<std::size_t> sizes(count, symbols);
  FloatMatrix rows = FloatMatrix::ragged(symbols, sizes);
  Random random(seed);
  for (float& value : rows.values) value = static_cast<float>(random.below(amino_acids.size()));
  return rows;
}

constexpr std::size_t base_count = 256;

void compare(const std::string& id, benchmark::State& state, Scalar scalar, const Values& values) {
  const auto symbols = static_cast<std::size_t>(state.range(0));
  const double cells = static_cast<double>(symbols * symbols);
  const auto samples = static_cast<std::size_t>(std::clamp(4e9 / cells / base_count, 1.0, 256.0));
  const auto pairs = static_cast<std::size_t>(std::clamp(3e7 / cells, 1.0, 256.0));
  const FloatMatrix bases = random_strings(base_count, symbols, 1);
  const FloatMatrix rows = random_strings(samples, symbols, 2);
  const auto measure = testing::make_component<Similarity>(id, values);
  testing::TestContext context;
  measure->bind(Layout::string(symbols, amino_acids));
  measure->set_bases(bases.view(), {}, context);
  FloatMatrix results(samples, base_count);
  std::vector<String> strings;
  for (std::size_t j = 0; j < pairs; ++j)
    strings.emplace_back(bases.view().row(j), bases.view().row(j) + symbols);
  const String x(rows.view().row(0), rows.view().row(0) + symbols);
  std::vector<float> expected(pairs);
  double scalar_best = infinity, best = infinity, error = 0;
  for (auto _ : state) {
    scalar_best = std::min(scalar_best, seconds([&] {
                             for (std::size_t j = 0; j < pairs; ++j)
                               expected[j] = scalar(x, strings[j]);
                           }));
    best = std::min(best, seconds([&] { measure->apply(rows.view(), results.view(), context); }));
    for (std::size_t j = 0; j < pairs; ++j)
      error = std::max(error, std::abs(double(results.values[j]) - expected[j]));
  }
  using Counter = benchmark::Counter;
  const double rate = cells * static_cast<double>(samples * base_count) / best;
  const double scalar_rate = cells * static_cast<double>(pairs) / scalar_best;
  state.counters["cells"] = Counter(rate);
  state.counters["scalar"] = Counter(scalar_rate);
  state.counters["times"] = Counter(rate / scalar_rate);
  state.counters["error"] = Counter(error);
}

void add(const std::string& id, const char* name, Scalar scalar, const Values& values) {
  benchmark::RegisterBenchmark(name,
                               [=](benchmark::State& state) { compare(id, state, scalar, values); })
      ->ArgName("symbols")
      ->Arg(20)
      ->Arg(60)
      ->Arg(300)
      ->Arg(2000)
      ->Arg(13100)
      ->MinTime(0.5);
}

void add_all() {
  const std::pair<std::string, Value> negative = {"as", std::string("negative")};
  add("similarity/edit", "edit", scalar_edit, {negative});
  add("similarity/edit", "edit_whole_costs", scalar_whole_edit,
      {negative, {"insertion", 2.0}, {"substitution", 2.0}});
  add("similarity/edit", "edit_weighted", scalar_weighted_edit,
      {negative, {"insertion", 1.25}, {"substitution", 1.5}});
  add("similarity/lcs", "lcs", scalar_lcs, {{"normalize", std::string("none")}});
  add("similarity/local_alignment", "local_alignment", scalar_plain_alignment,
      {{"normalize", false}});
  add("similarity/local_alignment", "local_alignment_blosum62", scalar_blosum62_alignment,
      {{"matrix", std::string("blosum62")}, {"normalize", false}});
  add("similarity/subsequence", "subsequence", scalar_subsequence, {{"normalize", false}});
}

}  // namespace
}  // namespace semblance::strings

int main(int argc, char** argv) {
  semblance::strings::add_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
