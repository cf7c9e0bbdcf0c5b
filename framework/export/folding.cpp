// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "export/machine.hpp"
#include "semblance/error.hpp"

namespace semblance {

namespace {

using Kernel = SupportVectorMachine::Kernel;

bool unchanged(const AffineForm& inputs) {
  const auto is = [](double value) { return [value](double x) { return x == value; }; };
  return inputs.keeps_places() && std::ranges::all_of(inputs.scales, is(1)) &&
         std::ranges::all_of(inputs.offsets, is(0));
}

/// Replaces the vectors by mapped dense ones, one by one.
template <class Map>
void map_vectors(SupportVectorMachine& machine, const Map& map) {
  SupportVectorMachine mapped;
  mapped.starts.assign(1, 0);
  std::vector<double> row(machine.inputs);
  for (std::size_t i = 0; i < machine.vectors(); ++i) {
    std::ranges::fill(row, 0.0);
    for (std::size_t k = machine.starts[i]; k < machine.starts[i + 1]; ++k)
      row[machine.columns[k]] = machine.values[k];
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double value = map(i, c, row[c]);
      if (value == 0) continue;
      mapped.columns.push_back(static_cast<std::uint32_t>(c));
      mapped.values.push_back(value);
    }
    mapped.starts.push_back(mapped.values.size());
  }
  machine.starts = std::move(mapped.starts);
  machine.columns = std::move(mapped.columns);
  machine.values = std::move(mapped.values);
}

/// The offsets add a constant to each vector's product with a row: these become one per pair.
void fold_linear(SupportVectorMachine& machine, const AffineForm& inputs) {
  std::vector<double> constants(machine.vectors());
  map_vectors(machine, [&](std::size_t i, std::size_t c, double value) {
    constants[i] += inputs.offsets[c] * value;
    return inputs.scales[c] * value;
  });
  const std::size_t count = machine.vectors(), classes = machine.classes();
  if (machine.predicts_number())
    for (std::size_t i = 0; i < count; ++i)
      machine.rho[0] -= machine.coefficients[i] * constants[i];
  std::vector<std::size_t> first(classes + 1);
  for (std::size_t c = 0; c < classes; ++c) first[c + 1] = first[c] + machine.counts[c];
  std::size_t pair = 0;
  for (std::size_t a = 0; a < classes; ++a)
    for (std::size_t b = a + 1; b < classes; ++b, ++pair) {
      for (std::size_t i = first[a]; i < first[a + 1]; ++i)
        machine.rho[pair] -= machine.coefficients[(b - 1) * count + i] * constants[i];
      for (std::size_t i = first[b]; i < first[b + 1]; ++i)
        machine.rho[pair] -= machine.coefficients[a * count + i] * constants[i];
    }
}

}  // namespace

SupportVectorMachine folded(const SupportVectorMachine& machine, const AffineForm& inputs) {
  if (unchanged(inputs)) return machine;
  if (!inputs.keeps_places())
    throw Error("its inputs are not the source's values one by one, as LIBSVM's format needs");
  SupportVectorMachine result = machine;
  if (machine.kernel == Kernel::linear) {
    fold_linear(result, inputs);
    return result;
  }
  const double scale = inputs.scales.front();
  const bool uniform =
      scale != 0 && std::ranges::all_of(inputs.scales, [&](double s) { return s == scale; });
  if (!uniform)
    throw Error(
        "columns are scaled by different factors before it, which only a linear kernel can absorb; "
        "train it on the source's values, or with one scale for all columns "
        "(normalizer/mean_norm)");
  if (machine.kernel == Kernel::rbf) {
    result.gamma = machine.gamma * scale * scale;
    map_vectors(result, [&](std::size_t, std::size_t c, double value) {
      return (value - inputs.offsets[c]) / scale;
    });
    return result;
  }
  if (std::ranges::any_of(inputs.offsets, [](double x) { return x != 0; }))
    throw Error(
        "columns are shifted before it, which a kernel of inner products cannot absorb; train it "
        "on the source's values, or use a kernel that is linear or rbf");
  result.gamma = machine.gamma * scale;  // gamma <v, scale x> = gamma scale <v, x>
  return result;
}

LiblinearMachine liblinear_machine(const AffineForm& scores, bool numbers) {
  const std::vector<double> matrix = matrix_of(scores);
  LiblinearMachine machine;
  machine.inputs = scores.inputs;
  if (numbers && scores.results() != 1)
    throw Error("it predicts " + std::to_string(scores.results()) +
                " numbers, and LIBLINEAR's machines predict one");
  machine.classes = numbers ? 0 : scores.results();
  if (numbers) machine.solver = "L2R_L2LOSS_SVR";
  bool opposite = machine.classes == 2 && scores.offsets[0] == -scores.offsets[1];
  for (std::size_t k = 0; opposite && k < machine.inputs; ++k)
    opposite = matrix[k] == -matrix[machine.inputs + k];
  // With two functions for two classes, LIBLINEAR supports only this solver.
  if (machine.classes == 2 && !opposite) machine.solver = "MCSVM_CS";
  for (std::size_t f = opposite ? 1 : 0; f < scores.results(); ++f) {
    const auto row = matrix.begin() + static_cast<std::ptrdiff_t>(f * machine.inputs);
    machine.weights.insert(machine.weights.end(), row,
                           row + static_cast<std::ptrdiff_t>(machine.inputs));
    machine.weights.push_back(scores.offsets[f]);
  }
  return machine;
}

}  // namespace semblance
