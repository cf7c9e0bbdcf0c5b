// SPDX-License-Identifier: MIT
#include "products/stored_bases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "semblance/basis_checks.hpp"
#include "semblance/row_error.hpp"
#include "semblance/tiny_rows.hpp"
#include "semblance_numerics/product.hpp"
#include "tiles/bf16.hpp"
#include "tiles/tile_unit.hpp"
#include "tiles/tiled_product.hpp"

namespace semblance::vectors {

namespace {

void check_index_memory(MatrixView bases, const Context& context) {
  const std::size_t needed = numerics::IndexedRows::bytes(bases.values(), bases.cols);
  if (needed <= context.memory_budget()) return;
  const auto mebibytes = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  throw MemoryError("sparse bases with " + std::to_string(bases.values()) + " values take up to " +
                    mebibytes(needed) + " (20 bytes a value, 16 a column that has some), but " +
                    mebibytes(context.memory_budget()) +
                    " are allowed; use fewer bases, or raise --memory");
}

float rounded(float value) { return to_float(to_bf16(value)); }

FloatMatrix rounded(MatrixView rows) {
  FloatMatrix result(rows);
  for (float& value : result.values) value = rounded(value);
  return result;
}

}  // namespace

void StoredBases::prepare(const Layout& input) {
  basis_checks::check_has_values(input);
  const bool sparse = input.kind == LayoutKind::sparse;
  if (sparse && takes_sparse() && bf16())
    throw Error(
        "'precision: bf16' is for dense samples, and these are sparse; omit it, or put "
        "feature/dense before it");
  if (input.ragged() && !(sparse && takes_sparse()))
    throw Error("the samples, each a " + describe(input) +
                ", differ in size; use a measure that is made for them");
  layout_ = input;
}

void StoredBases::set_bases(MatrixView bases, std::span<const std::int64_t>, Context& context) {
  if (bases.cols != layout_.size())
    throw Error("the bases have " + std::to_string(bases.cols) + " values, the samples " +
                std::to_string(layout_.size()) + "; both must come from the same features");
  store(bases, nullptr, context);
}

void StoredBases::store(MatrixView bases, const StateReader* saved, Context& context) {
  basis_checks::check_not_empty(bases);
  check_rows(bases, RowError::Of::bases);
  if (saved)
    load_learned(*saved);
  else
    learn_from_bases(bases, context);
  if (bf16()) check_rounding(bases);
  refuse_tiny(bases);
  if (sparse()) check_index_memory(bases, context);
  if (sparse())
    indexed_ = numerics::IndexedRows(bases);
  else
    bases_ = numerics::PackedRows(bases);
  if (bf16()) tiled_ = TiledRows(bases, cell(), TileSide::right);
  learn(bases);
  move_to_device(context);
  if (bf16() && !amx_available())
    context.log(LogLevel::warning,
                "precision: bf16 is emulated, since this CPU has no AMX: the results are "
                "bit-identical, but precision: fp32 is faster here");
}

void StoredBases::copy_bases(const StoredBases& other, std::span<const std::uint32_t> bases) {
  layout_ = other.layout_;
  FloatMatrix rows(bases.size(), layout_.size());
  for (std::size_t i = 0; i < bases.size(); ++i)
    other.kept_basis(bases[i], rows.view().row_span(i));
  bases_ = numerics::PackedRows(rows.view());
  learn(rows.view());
}

void StoredBases::move_to_device(Context& context) {
  on_gpu_.reset();
  grids_on_gpu_.reset();
  Device* const device = context.device();
  if (!device || sparse() || bf16() || !gpu::worth_a_device(bases(), layout_.size())) return;
  const auto fetch = [this](std::size_t first, MutableMatrixView rows) {
    for (std::size_t i = 0; i < rows.rows; ++i) kept_basis(first + i, rows.row_span(i));
  };
  if (on_device())
    on_gpu_ = std::make_shared<gpu::DeviceBases>(*device, bases(), layout_.size(), fetch, context);
  if (const auto grids = grids_on_device())
    grids_on_gpu_ = std::make_shared<gpu::DeviceGrids>(*device, bases(), *grids, fetch, context);
}

void StoredBases::compare_anywhere(MatrixView in, std::size_t first, MutableMatrixView out,
                                   Context& context) const {
  if (on_gpu_) return on_gpu_->compare(*on_device(), in, first, out, context);
  if (grids_on_gpu_) return grids_on_gpu_->compare(in, first, out, context);
  compare(in, first, out, context);
}

/// Far from 0 the rounding to bf16 is as large as the differences between the bases.
void StoredBases::check_rounding(MatrixView bases) const {
  constexpr double most_share = 1e-3;
  std::vector<double> means(bases.cols), lost(bases.cols);
  for (std::size_t i = 0; i < bases.rows; ++i)
    for (std::size_t k = 0; k < bases.cols; ++k)
      means[k] += double{bases.row(i)[k]} / static_cast<double>(bases.rows);
  double spread = 0;
  for (std::size_t i = 0; i < bases.rows; ++i)
    for (std::size_t k = 0; k < bases.cols; ++k) {
      const double value = bases.row(i)[k];
      spread += (value - means[k]) * (value - means[k]);
      lost[k] += std::pow(value - double{rounded(bases.row(i)[k])}, 2);
    }
  const double all = std::accumulate(lost.begin(), lost.end(), 0.0);
  if (bases.rows == 1 || spread == 0 || !(all > most_share * spread)) return;
  const auto worst = std::ranges::max_element(lost) - lost.begin();
  throw Error("'precision: bf16' rounds away what distinguishes the bases, most of it in column " +
              std::to_string(worst) +
              " (counted from 0), whose values are far from 0 beside their spread; use precision: "
              "fp32, or subtract the columns' means before it (normalizer/zscore)");
}

void check_shapes(MatrixView in, MutableMatrixView out, std::size_t values, std::size_t bases) {
  if (in.cols == values && out.rows == in.rows && out.cols == bases) return;
  throw Error("cannot compare " + std::to_string(in.rows) + " rows of " + std::to_string(in.cols) +
              " values with " + std::to_string(bases) + " bases of " + std::to_string(values) +
              " values into " + std::to_string(out.rows) + "x" + std::to_string(out.cols) +
              " results");
}

void StoredBases::check_rows(MatrixView rows, RowError::Of of) const {
  if (rows.sparse() != sparse() || rows.ragged() != sparse())
    throw Error(std::string(of == RowError::Of::bases ? "each basis" : "each sample") +
                " must be a " + describe(layout_) + ", but " +
                (sparse()        ? "they are not sparse"
                 : rows.sparse() ? "they are sparse"
                                 : "they differ in size") +
                "; both must come from the same features");
  if (!sparse()) return;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto values = rows.row_span(i);
    const auto bad = std::ranges::find_if_not(values, [](float x) { return std::isfinite(x); });
    if (bad == values.end()) continue;
    const auto column = rows.columns_of(i)[static_cast<std::size_t>(bad - values.begin())];
    throw RowError(
        of, i, "",
        ", column " + std::to_string(column) + " (both counted from 0) is " +
            (std::isnan(*bad) ? "NaN" : "infinite") +
            "; sparse rows are compared by their finite values only: remove or replace others");
  }
}

void StoredBases::apply(MatrixView in, MutableMatrixView out, Context& context) const {
  check_shapes(in, out, layout_.size(), bases());
  check_rows(in, RowError::Of::block);
  if (in.rows > 0) compare_anywhere(in, 0, out, context);
}

void StoredBases::apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                              Context& context) const {
  const bool fits = in.cols == layout_.size() && out.rows == in.rows && first <= bases() &&
                    out.cols <= bases() - first;
  if (fits && (in.rows == 0 || out.cols == 0)) return;
  if (fits) check_rows(in, RowError::Of::block);
  if (fits && (out.cols == bases() || compares_ranges() || grids_on_gpu_))
    return compare_anywhere(in, first, out, context);
  Similarity::apply_range(in, first, out, context);
}

void StoredBases::kept_basis(std::size_t basis, std::span<float> row) const {
  if (sparse()) {
    std::ranges::fill(row, 0.0F);
    const auto columns = indexed_.view().columns_of(basis);
    const auto values = indexed_.view().row_span(basis);
    for (std::size_t k = 0; k < values.size(); ++k) row[columns[k]] = values[k];
    return;
  }
  const float* const panel = bases_.panel(basis / bases_.width());
  for (std::size_t k = 0; k < row.size(); ++k)
    row[k] = panel[k * bases_.width() + basis % bases_.width()];
}

void StoredBases::kept_values(std::size_t basis, std::span<const std::size_t> columns,
                              std::size_t width, std::span<float> values) const {
  if (!sparse()) return Similarity::kept_values(basis, columns, width, values);
  std::ranges::fill(values, 0.0F);
  const auto own = indexed_.view().columns_of(basis);
  for (std::size_t k = 0, at = 0; k < own.size(); ++k) {
    while (at < columns.size() && columns[at] < own[k]) ++at;
    if (at < columns.size() && columns[at] == own[k]) values[at] = indexed_.view().row(basis)[k];
  }
}

void StoredBases::save(StateWriter& state) const {
  save_learned(state);
  if (sparse()) return state.floats("bases", indexed_.view());
  state.floats("bases", bases_.unpack().view());
}

void StoredBases::load(const StateReader& state, Context& context) {
  const FloatMatrix bases = basis_checks::saved_bases(state, layout_);
  store(bases.view(), &state, context);
}

FloatMatrix StoredBases::exported_bases() const {
  if (bf16()) throw Error("'precision: bf16' rounds values as no other program does; use fp32");
  return sparse() ? FloatMatrix(indexed_.view()) : bases_.unpack();
}

void StoredBases::describe_bases(SupportVectorMachine& machine) const {
  const FloatMatrix bases = exported_bases();
  machine.inputs = bases.cols;
  machine.starts.assign(1, 0);
  for (std::size_t i = 0; i < bases.rows; ++i) {
    const auto values = bases.view().row_span(i);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] == 0) continue;
      const std::size_t column = sparse() ? bases.view().columns_of(i)[k] : k;
      machine.columns.push_back(static_cast<std::uint32_t>(column));
      machine.values.push_back(values[k]);
    }
    machine.starts.push_back(machine.values.size());
  }
}

TiledRows StoredBases::tile(MatrixView samples) const { return {samples, cell(), TileSide::left}; }

void StoredBases::inner_products(MatrixView in, std::size_t first, MutableMatrixView out,
                                 Context& context) const {
  if (bf16()) {
    const TiledRows samples = tile(in);
    const TileUnit unit;
    for (std::size_t g = 0; g < tiled_.groups(); ++g) {
      context.check_stop();
      multiply_group(samples, tiled_, g, unit, out);
    }
    return;
  }
  // About 10 ms at a time; whole groups of rows, since a partial one costs the same.
  constexpr double operations = 5e8;
  constexpr std::size_t group = 240;
  const double values = sparse() ? static_cast<double>(indexed_.entries(first, out.cols))
                                 : static_cast<double>(out.cols * bases_.cols());
  const double row_cost = 2.0 * std::max(values, static_cast<double>(out.cols));
  const auto fit = static_cast<std::size_t>(std::min(operations / row_cost, 1e9));
  const std::size_t rows = std::max(fit / group, std::size_t{1}) * group;
  for (std::size_t row = 0; row < in.rows; row += rows) {
    context.check_stop();
    const std::size_t count = std::min(rows, in.rows - row);
    const MatrixView part = in.rows_range(row, count);
    if (sparse())
      numerics::multiply(part, indexed_, out.rows_range(row, count), first);
    else
      numerics::multiply(part, bases_, out.rows_range(row, count), first);
  }
}

void StoredBases::distances_from_products(MatrixView in, std::span<const float> norms,
                                          std::span<const float> of_bases, std::size_t first,
                                          const numerics::DistanceNeed& need, MutableMatrixView out,
                                          Context& context) const {
  if (bf16()) {
    const numerics::PackedRows bases(rounded(bases_.unpack().view()).view());
    const FloatMatrix samples = rounded(in);
    context.check_stop();
    return numerics::distances_from_products(samples.view(), norms, bases, of_bases, first, need,
                                             out);
  }
  // Some rows at a time, so that a stop request does not wait.
  constexpr std::size_t rows_at_once = 240;
  for (std::size_t row = 0; row < in.rows; row += rows_at_once) {
    context.check_stop();
    const std::size_t count = std::min(rows_at_once, in.rows - row);
    const MatrixView part = in.rows_range(row, count);
    const auto own = norms.subspan(row, count);
    const MutableMatrixView distances = out.rows_range(row, count);
    if (sparse())
      numerics::distances_from_products(part, own, indexed_, of_bases, first, need, distances);
    else
      numerics::distances_from_products(part, own, bases_, of_bases, first, need, distances);
  }
}

void StoredBases::squared_norms(MatrixView rows, float* norms) const {
  if (bf16())
    rounded_squared_norms(rows, norms);
  else
    numerics::squared_norms(rows, norms);
}

}  // namespace semblance::vectors
