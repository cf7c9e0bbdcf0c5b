// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/drawings/reduced_sample.hpp"

namespace semblance {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};

/// The number of edges between each two nodes; one more than the largest where there is no path.
std::vector<std::vector<double>> hops(const GraphView& graph) {
  const GraphNeighbours neighbours(graph, false);
  const std::size_t nodes = graph.nodes();
  std::vector<std::vector<double>> distances(nodes, std::vector<double>(nodes, -1));
  double largest = 0;
  for (std::size_t start = 0; start < nodes; ++start) {
    auto& of = distances[start];
    std::vector<std::size_t> reached = {start};
    of[start] = 0;
    for (std::size_t k = 0; k < reached.size(); ++k)
      for (const auto& [next, edge] : neighbours.of(reached[k])) {
        if (of[next] >= 0) continue;
        of[next] = of[reached[k]] + 1;
        largest = std::max(largest, of[next]);
        reached.push_back(next);
      }
  }
  for (auto& of : distances)
    for (double& d : of) d = d < 0 ? largest + 1 : d;
  return distances;
}

/// A step towards less stress, the sum of ((|p_i - p_j| - d_ij) / d_ij)^2.
std::vector<Point> moved(const std::vector<Point>& points,
                         const std::vector<std::vector<double>>& distances) {
  std::vector<Point> next(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    double weights = 0;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (i == j) continue;
      const double d = distances[i][j], weight = 1 / (d * d);
      const double x = points[i].x - points[j].x, y = points[i].y - points[j].y;
      const double scale = d / std::max(std::hypot(x, y), 1e-9);
      next[i].x += weight * (points[j].x + scale * x);
      next[i].y += weight * (points[j].y + scale * y);
      weights += weight;
    }
    next[i].x /= weights;
    next[i].y /= weights;
  }
  return next;
}

}  // namespace

std::vector<float> graph_layout(const GraphView& graph) {
  constexpr int steps = 150;
  const std::size_t nodes = graph.nodes();
  if (nodes == 1) return {0.5f, 0.5f};
  std::vector<Point> points(nodes);
  for (std::size_t v = 0; v < nodes; ++v) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(v) / static_cast<double>(nodes);
    points[v] = {std::cos(angle), std::sin(angle)};
  }
  const auto distances = hops(graph);
  for (int step = 0; step < steps; ++step) points = moved(points, distances);
  const auto [left, right] = std::ranges::minmax(points, {}, &Point::x);
  const auto [low, high] = std::ranges::minmax(points, {}, &Point::y);
  const double side = std::max({right.x - left.x, high.y - low.y, 1e-9});
  std::vector<float> places;
  for (const Point& point : points) {
    places.push_back(static_cast<float>((point.x - left.x) / side));
    places.push_back(static_cast<float>((point.y - low.y) / side));
  }
  return places;
}

}  // namespace semblance
