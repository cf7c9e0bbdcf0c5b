// SPDX-License-Identifier: MIT
#include "runtime/sources/open_data.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "pipeline/node_identity.hpp"
#include "runtime/graph/node_files.hpp"
#include "runtime/sources/folds.hpp"
#include "runtime/sources/setting_aside.hpp"
#include "runtime/sources/slow_data.hpp"
#include "semblance/parameters.hpp"
#include "semblance/row_groups.hpp"
#include "semblance/source.hpp"

namespace semblance {
namespace {

/// The data set that a source has opened. It sets a mark after rows have been read: a source may
/// read its files on every request for rows.
class WatchedData final : public Dataset {
 public:
  WatchedData(std::shared_ptr<const Dataset> data, std::shared_ptr<std::atomic<bool>> was_read)
      : data_(std::move(data)), was_read_(std::move(was_read)) {}

  const Outline& outline() const noexcept override { return data_->outline(); }
  std::span<const std::int32_t> labels() const noexcept override { return data_->labels(); }
  std::span<const double> targets() const noexcept override { return data_->targets(); }
  std::span<const double> weights() const noexcept override { return data_->weights(); }
  std::span<const std::int32_t> groups() const noexcept override { return data_->groups(); }
  std::size_t values(std::size_t row) const override { return data_->values(row); }
  /// The mark is set last: otherwise a check of the files during the read would clear it too early.
  void read(std::size_t first, MutableMatrixView out) const override {
    data_->read(first, out);
    was_read_->store(true, std::memory_order_release);
  }
  std::size_t bytes() const noexcept override { return data_->bytes(); }
  std::int64_t number(std::size_t row) const override { return data_->number(row); }
  std::string name(std::size_t row) const override { return data_->name(row); }
  /// A program owns these rows, and no file changes them.
  MatrixView in_place(std::size_t first, std::size_t count) const noexcept override {
    return data_->in_place(first, count);
  }

 private:
  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<std::atomic<bool>> was_read_;
};

/// Whether a source's rows are those of its data set, in their order.
bool is_whole(const NodeFacts& source) {
  return source.spec->fold.count == 0 && source.set_aside.empty();
}

/// Checks what folds rely on, even if the source has checked it.
void check_groups(const Dataset& data) {
  const auto groups = data.groups();
  if (groups.empty()) return;
  const Outline& outline = data.outline();
  if (groups.size() != outline.rows())
    throw Error("there are " + std::to_string(groups.size()) + " groups for " +
                std::to_string(outline.rows()) + " rows; give one group per row");
  for (std::size_t i = 0; i < outline.train_rows; ++i)
    if (groups[i] < 0)
      throw Error("the group of row " + std::to_string(data.number(i)) +
                  " (from 0) is not known; give one for every training row");
}

/// The same for what regressors rely on.
void check_targets(const Dataset& data) {
  const Outline& outline = data.outline();
  const auto targets = data.targets();
  const std::size_t width = outline.targets.size();
  if (targets.size() != outline.rows() * width)
    throw Error("there are " + std::to_string(targets.size()) + " targets for " +
                std::to_string(outline.rows()) + " rows; give " + std::to_string(width) +
                " per row, one for each of their names");
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const bool known = std::isfinite(targets[i]);
    if (known || (std::isnan(targets[i]) && i >= outline.train_rows * width)) continue;
    throw Error("the target '" + outline.targets[i % width] + "' of row " +
                std::to_string(data.number(i / width)) + " (from 0) is " +
                to_text(Value(targets[i])) +
                "; targets must be finite, and only those of test rows may be missing (NaN)");
  }
}

}  // namespace

std::shared_ptr<const Dataset> rows_among(const NodeFacts& source,
                                          std::shared_ptr<const Dataset> all) {
  check_groups(*all);
  check_targets(*all);
  const std::vector<std::int64_t>& aside = source.set_aside;
  if (!aside.empty()) {
    const Outline& outline = all->outline();
    all = std::make_shared<RearrangedRows>(all, with_set_aside(outline, aside.size()),
                                           rows_with_set_aside(outline, aside));
  }
  return source.spec->fold.count == 0 ? all : folds_of_data(*source.spec, std::move(all));
}

namespace {

/// Checks what solvers may rely on, even if the source has checked it.
void check_weights(const Dataset& data) {
  const auto weights = data.weights();
  if (weights.empty()) return;
  const std::size_t rows = data.outline().rows();
  if (weights.size() != rows)
    throw Error("there are " + std::to_string(weights.size()) + " weights for " +
                std::to_string(rows) + " rows; give one weight per row");
  for (std::size_t i = 0; i < rows; ++i)
    if (!(weights[i] >= 0) || std::isinf(weights[i]))
      throw Error("the weight of row " + std::to_string(data.number(i)) + " (from 0) is " +
                  to_text(Value(weights[i])) + "; weights must be finite, and 0 or more");
}

/// Warns once for all folds: no figure of a selection shows how well such a class is recognised.
void warn_of_single_rows(const Dataset& fold, bool by_row, Context& context) {
  const auto labels = fold.labels().first(fold.outline().rows());
  const bool grouped = !by_row && !fold.groups().empty();
  const std::vector<std::int32_t> single =
      grouped ? classes_never_held_out(labels, fold.groups()) : classes_of_one_row(labels);
  if (single.empty()) return;
  context.log(
      LogLevel::warning,
      "class '" + fold.outline().classes[static_cast<std::size_t>(single.front())] + "'" +
          (single.size() > 1 ? ", like " + std::to_string(single.size() - 1) + " more," : "") +
          (grouped ? " has all its training rows in a single group"
                   : " has a single training row") +
          ", which every fold learns from and none tests");
}

}  // namespace

std::size_t rows_opened(const Node& source, const RowShare& share) {
  const std::size_t rows = source.facts().outline->rows();
  return source.as<Source>().selects_rows() ? share({0, rows}, *source.facts().outline) : rows;
}

void OpenData::open(const Node& source, bool of_model) {
  Opened& opened = of(source.facts());
  opened.dataset = rows_of(source);
  opened.row_numbers = row_numbers(*opened.dataset);
  opened.memory_of_numbers = memory_.take(opened.row_numbers.size() * sizeof(std::int64_t));
  const Outline& seen = opened.dataset->outline();
  const Outline& promised = *source.facts().outline;
  if (seen.layout != promised.layout || seen.train_rows != promised.train_rows ||
      seen.test_rows != promised.test_rows ||
      (!of_model && (seen.classes != promised.classes || seen.targets != promised.targets)))
    throw Error("the data differ from what their headers say");
  const auto& spec = *source.facts().spec;
  if (const Fold& fold = spec.fold; fold.count > 0 && fold.index == 0 && !fold.each_row &&
                                    (!spec.held_out || spec.needs_classes)) {
    NodeContext context(services_, spec.name, mixed_seed(spec.seed, spec.component.id),
                        data_bytes(*source.facts().outline), name_of_data(spec));
    warn_of_single_rows(*opened.dataset, fold.by_row, context);
  }
  check_targets(*opened.dataset);
  if (!of_model) check_weights(*opened.dataset);
}

std::shared_ptr<const Dataset> OpenData::read(const Node& source) {
  if (slow_ && slow_->has_store())
    if (auto stored = slow_->open(source)) return stored;
  const auto& spec = *source.facts().spec;
  NodeContext context(services_, spec.name, mixed_seed(spec.seed, spec.component.id),
                      data_bytes(*source.facts().outline), name_of_data(spec));
  std::shared_ptr<std::atomic<bool>>& was_read = was_read_[source.facts().shares_data_of];
  if (!was_read) was_read = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<const Dataset> opened = slow_ ? slow_->take(source) : nullptr;
  if (!opened) opened = source.as<Source>().open(context);
  auto data = std::make_shared<const WatchedData>(std::move(opened), was_read);
  semblance::check_files(source, catalogue_, files_);
  return data;
}

void OpenData::check_files(const Node& source) {
  const auto found = was_read_.find(source.facts().shares_data_of);
  if (found == was_read_.end() || !found->second->exchange(false)) return;
  try {
    semblance::check_files(source, catalogue_, files_);
  } catch (...) {
    found->second->store(true);
    throw;
  }
}

/// Which rows are this rank's is known for certain only when the data are open: which are set
/// aside, and what their numbers are. Where they are consecutive, as usual, the files are read
/// once.
std::shared_ptr<const Dataset> OpenData::read_own(const Node& source) {
  auto& selective = dynamic_cast<Source&>(*source.parts.front());
  const WantedRows likely = likely_rows(source.facts());
  selective.keep_only(likely);
  std::shared_ptr<const Dataset> data = read(source);
  WantedRows own = own_rows(source.facts(), data);
  if (own == likely) return data;
  data.reset();
  selective.keep_only(std::move(own));
  return read(source);
}

std::shared_ptr<const Dataset> OpenData::whole(const Node& source) {
  const bool own = ranks_.count() > 1 && source.as<Source>().selects_rows();
  std::shared_ptr<const Dataset> data = own ? read_own(source) : read(source);
  // Data in a program's memory belong to the program.
  if (source.facts().outline->rows_in_place > 0) return data;
  // Values may take more than the byte each that the plan has counted.
  const std::size_t counted = expected_bytes(source.facts(), rows_opened(source, share_of(ranks_)));
  const std::size_t more = std::max(data->bytes(), counted) - counted;
  if (more == 0) return data;
  // Open as long as they are in use.
  const auto opened =
      std::make_shared<std::pair<std::shared_ptr<const Dataset>, std::shared_ptr<void>>>(
          data, memory_.take(more));
  return {opened, data.get()};
}

/// Folds share the complete data; ranks do not, since each reads other rows.
bool OpenData::stands_alone(const NodeFacts& source) const {
  return is_whole(source) && (ranks_.count() > 1 || !has_folds(source));
}

std::shared_ptr<const Dataset> OpenData::rows_of(const Node& source) {
  if (stands_alone(source.facts())) return whole(source);
  const std::string same = data_identity(*source.facts().spec, catalogue_);
  auto all = unfolded_[same].lock();
  if (!all) unfolded_[same] = all = whole(source);
  return rows_among(source.facts(), std::move(all));
}

/// Whether the source has copies for a calibrator that are folds of it.
bool OpenData::has_folds(const NodeFacts& source) const {
  const std::string same = data_identity(*source.spec, catalogue_);
  return std::ranges::any_of(graph_.nodes, [&](const auto& node) {
    return node->facts().is_source() && node->facts().spec->held_out &&
           data_identity(*node->facts().spec, catalogue_) == same;
  });
}

/// This rank's rows where all rows are numbered by position; none where some are excluded or
/// reordered.
WantedRows OpenData::likely_rows(const NodeFacts& source) const {
  if (!is_whole(source)) return WantedRows::none();
  if (ranks_.first() && first_looks_at_all(source)) return {};
  const Outline& outline = *source.outline;
  std::vector<std::int64_t> numbers;
  for (const RowSpan span : ranks_.own({0, outline.rows()}, outline.train_rows, outline.rows()))
    for (std::size_t row = span.first; row < span.end(); ++row)
      numbers.push_back(static_cast<std::int64_t>(row));
  return WantedRows::of(std::move(numbers));
}

/// The rows that this rank reads from a data set, also for folds of it.
WantedRows OpenData::own_rows(const NodeFacts& source,
                              const std::shared_ptr<const Dataset>& all) const {
  const std::string same = data_identity(*source.spec, catalogue_);
  std::vector<std::int64_t> numbers;
  for (const auto& node : graph_.nodes) {
    const bool shares =
        node->facts().index == source.index ||
        (node->facts().is_source() && !is_whole(node->facts()) && !is_whole(source) &&
         data_identity(*node->facts().spec, catalogue_) == same);
    if (!shares) continue;
    if (ranks_.first() && first_looks_at_all(node->facts())) return {};
    add_own_rows(node->facts(), all, numbers);
  }
  return WantedRows::of(std::move(numbers));
}

void OpenData::add_own_rows(const NodeFacts& source, const std::shared_ptr<const Dataset>& all,
                            std::vector<std::int64_t>& numbers) const {
  const auto rows = rows_among(source, all);
  const Outline& outline = rows->outline();
  std::vector<RowSpan> spans = ranks_.own({0, outline.rows()}, outline.train_rows, outline.rows());
  // The first rank draws samples of what was predicted.
  if (ranks_.first() && outline.layout.ragged())
    spans.push_back({outline.train_rows, outline.test_rows});
  for (const RowSpan span : spans)
    for (std::size_t row = span.first; row < span.end(); ++row)
      numbers.push_back(rows->number(row));
}

/// Evaluators run on the first rank, and some recompute rows of the data.
bool OpenData::first_looks_at_all(const NodeFacts& source) const {
  return std::ranges::any_of(graph_.nodes, [&](const auto& node) {
    return node->facts().spec->origin == source.index && node->facts().demands.sends_rows;
  });
}

}  // namespace semblance
