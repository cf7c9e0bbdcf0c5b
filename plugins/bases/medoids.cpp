// SPDX-License-Identifier: MIT
#include "medoids.hpp"

#include <algorithm>
#include <limits>

namespace semblance::bases {
namespace {

// The decrease of the cost if `row` becomes a medoid, given each row's nearest distance so far.
double gain(MatrixView distances, std::size_t row, const std::vector<float>& nearest) {
  const float* from_row = distances.row(row);
  double sum = 0;
  for (std::size_t i = 0; i < nearest.size(); ++i)
    if (from_row[i] < nearest[i]) sum += double(nearest[i]) - from_row[i];
  return sum;
}

std::vector<std::size_t> build(MatrixView distances, std::size_t count,
                               const ParallelFor& parallel) {
  const std::size_t n = distances.rows;
  // Larger than all distances, and the same for all rows: the first gain ranks by sums of
  // distances.
  float farthest = 0;
  for (std::size_t i = 0; i < n; ++i)
    farthest = std::max(farthest, *std::max_element(distances.row(i), distances.row(i) + n));
  std::vector<float> nearest(n, farthest);
  std::vector<std::size_t> chosen;
  std::vector<double> gains(n);
  std::vector<char> taken(n, 0);
  while (chosen.size() < count) {
    parallel(
        n, [&](std::size_t row) { gains[row] = taken[row] ? -1 : gain(distances, row, nearest); });
    const auto best =
        static_cast<std::size_t>(std::max_element(gains.begin(), gains.end()) - gains.begin());
    chosen.push_back(best);
    taken[best] = 1;
    for (std::size_t i = 0; i < n; ++i) nearest[i] = std::min(nearest[i], distances.row(best)[i]);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Each row's cluster; a medoid stays in its own cluster even if another medoid is equally near.
std::vector<std::size_t> assign(MatrixView distances, const std::vector<std::size_t>& medoids,
                                const ParallelFor& parallel) {
  std::vector<std::size_t> cluster(distances.rows, 0);
  parallel(distances.rows, [&](std::size_t i) {
    for (std::size_t m = 1; m < medoids.size(); ++m)
      if (distances.row(i)[medoids[m]] < distances.row(i)[medoids[cluster[i]]]) cluster[i] = m;
  });
  for (std::size_t m = 0; m < medoids.size(); ++m) cluster[medoids[m]] = m;
  return cluster;
}

std::size_t centre(MatrixView distances, const std::vector<std::size_t>& members) {
  std::size_t best = members.front();
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t candidate : members) {
    double sum = 0;
    for (const std::size_t i : members) sum += distances.row(candidate)[i];
    if (sum < least) {
      least = sum;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::size_t> centres(MatrixView distances, const std::vector<std::size_t>& cluster,
                                 std::size_t count, const ParallelFor& parallel) {
  std::vector<std::vector<std::size_t>> members(count);
  for (std::size_t i = 0; i < cluster.size(); ++i) members[cluster[i]].push_back(i);
  std::vector<std::size_t> medoids(count);
  parallel(count, [&](std::size_t m) { medoids[m] = centre(distances, members[m]); });
  std::sort(medoids.begin(), medoids.end());
  return medoids;
}

double total(MatrixView distances, const std::vector<std::size_t>& medoids) {
  double sum = 0;
  for (std::size_t i = 0; i < distances.rows; ++i) {
    float nearest = std::numeric_limits<float>::infinity();
    for (const std::size_t m : medoids) nearest = std::min(nearest, distances.row(i)[m]);
    sum += nearest;
  }
  return sum;
}

}  // namespace

void distances_from_similarities(MutableMatrixView s) {
  for (std::size_t i = 0; i < s.rows; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = double(s.row(i)[i]) + s.row(j)[j] - s.row(i)[j] - s.row(j)[i];
      s.row(i)[j] = s.row(j)[i] = static_cast<float>(distance);
    }
  for (std::size_t i = 0; i < s.rows; ++i) s.row(i)[i] = 0;
}

Medoids find_medoids(MatrixView distances, std::size_t count, std::size_t iterations,
                     const ParallelFor& parallel) {
  Medoids result;
  result.rows = build(distances, count, parallel);
  while (!result.converged && result.iterations < iterations) {
    ++result.iterations;
    const auto cluster = assign(distances, result.rows, parallel);
    auto next = centres(distances, cluster, count, parallel);
    result.converged = next == result.rows;
    result.rows = std::move(next);
  }
  result.cost = total(distances, result.rows);
  return result;
}

}  // namespace semblance::bases
