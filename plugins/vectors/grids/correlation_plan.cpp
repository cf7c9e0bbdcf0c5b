// SPDX-License-Identifier: MIT
#include "grids/correlation_plan.hpp"

#include <cmath>
#include <numbers>

namespace semblance::vectors {
namespace {

double angle(std::size_t k, std::size_t z, std::size_t size) {
  return 2 * std::numbers::pi * static_cast<double>(k * z % size) / static_cast<double>(size);
}
float cosine(std::size_t k, std::size_t z, std::size_t size) {
  return static_cast<float>(std::cos(angle(k, z, size)));
}
float sine(std::size_t k, std::size_t z, std::size_t size) {
  return static_cast<float>(std::sin(angle(k, z, size)));
}

// The places of a frequency's three products, then of its parts.
struct Products {
  std::size_t first;
  std::size_t k1() const { return first; }
  std::size_t k2() const { return first + 1; }
  std::size_t k3() const { return first + 2; }
  std::size_t re() const { return k3(); }
  std::size_t im() const { return k2(); }
};

using Step = CorrelationPlan::Step;

// Turns the three products of frequency p into its two parts, in place.
void combine(Products p, std::vector<Step>& steps) {
  steps.push_back({{{p.k1(), 1}, {p.k3(), -1}}, {}, p.re(), CorrelationPlan::none});
  steps.push_back({{{p.k1(), 1}, {p.k2(), 1}}, {}, p.im(), CorrelationPlan::none});
}

// Turns the products of frequencies k and -k into the parts of their sum, where those of k were,
// and of their difference, where those of -k were.
void combine(Products k, Products mirror, std::vector<Step>& steps) {
  steps.push_back(
      {{{k.k1(), 1}, {k.k3(), -1}}, {{mirror.k1(), 1}, {mirror.k3(), -1}}, k.re(), mirror.re()});
  steps.push_back(
      {{{k.k1(), 1}, {k.k2(), 1}}, {{mirror.k1(), 1}, {mirror.k2(), 1}}, k.im(), mirror.im()});
}

}  // namespace

CorrelationPlan::CorrelationPlan(const RigidShifts& shifts)
    : grid(shifts.grid),
      height(shifts.grid.height + shifts.rows),
      width(shifts.grid.width + shifts.cols) {
  // The second column, if there is one, has most products.
  spectrum_ = 3 * height;
  for (std::size_t x = 0; x <= width / 2; ++x) add_column(x, shifts);
  add_results(shifts);
  tiles = real_part(columns.size(), 0) + 1;
}

std::size_t CorrelationPlan::real_part(std::size_t x, std::size_t z) const noexcept {
  // The displacements from -rows to rows, those of a negative z after the others.
  const std::size_t displacements = 2 * (height - grid.height) + 1;
  return spectrum_ + 2 * (x * displacements + z);
}

void CorrelationPlan::add_column(std::size_t x, const RigidShifts& shifts) {
  const bool mirrored = own_mirror(x, width);
  Column column;
  std::vector<Products> at;
  for (std::size_t y = 0; y <= (mirrored ? height / 2 : height - 1); ++y) {
    const bool real = mirrored && own_mirror(y, height);
    frequencies.push_back({y, x, real});
    at.push_back({column.products});
    column.products += real ? 1 : 3;
  }
  products += column.products;

  // Terms of the sums over the column's frequencies: the cosine's belong to even functions of the
  // displacement, the sine's to odd ones.
  for (std::size_t y = 0; 2 * y <= height; ++y) {
    if (!own_mirror(y, height) && !mirrored)
      combine(at[y], at[height - y], column.steps);
    else if (!(own_mirror(y, height) && mirrored))
      combine(at[y], column.steps);
  }
  for (std::size_t z = 0; z <= shifts.rows; ++z) {
    Step re, im;
    for (std::size_t y = 0; 2 * y <= height; ++y) {
      const float c = cosine(y, z, height), s = sine(y, z, height);
      if (mirrored) {
        const bool real = own_mirror(y, height);
        re.even.push_back({real ? at[y].first : at[y].re(), real ? c : 2 * c});
        if (!real && z > 0) re.odd.push_back({at[y].im(), 2 * s});
      } else {
        re.even.push_back({at[y].re(), c});
        im.even.push_back({at[y].im(), c});
        if (own_mirror(y, height) || z == 0) continue;
        re.odd.push_back({at[height - y].im(), s});
        im.odd.push_back({at[height - y].re(), s});
      }
    }
    const std::size_t plus = real_part(x, z), minus = real_part(x, shifts.rows + z);
    re.sum = z > 0 ? minus : plus;
    re.difference = z > 0 ? plus : none;
    im.sum = plus + 1;
    im.difference = z > 0 ? minus + 1 : none;
    column.steps.push_back(re);
    if (!mirrored) column.steps.push_back(im);
  }
  columns.push_back(std::move(column));
}

void CorrelationPlan::add_results(const RigidShifts& shifts) {
  for (std::size_t z = 0; z <= 2 * shifts.rows; ++z)
    for (std::size_t zx = 0; zx <= shifts.cols; ++zx) {
      const std::size_t zy = z <= shifts.rows ? z : z - shifts.rows;
      Result result;
      result.cost = shifts.cost(shifts.rows + zy, shifts.cols + zx);
      for (std::size_t x = 0; x < columns.size(); ++x) {
        const bool mirrored = own_mirror(x, width);
        const float weight = mirrored ? 1 : 2;
        result.even.push_back({real_part(x, z), weight * cosine(x, zx, width)});
        if (!mirrored && zx > 0)
          result.odd.push_back({real_part(x, z) + 1, weight * sine(x, zx, width)});
      }
      results.push_back(std::move(result));
    }
}

double CorrelationPlan::multiplications() const noexcept {
  std::size_t terms = 0;
  for (const Column& column : columns)
    for (const Step& step : column.steps) terms += step.even.size() + step.odd.size();
  for (const Result& result : results) terms += result.even.size() + result.odd.size();
  return static_cast<double>(products * grid.depth + terms);
}

}  // namespace semblance::vectors
