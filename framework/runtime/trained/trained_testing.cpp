// SPDX-License-Identifier: MIT
#include "runtime/trained/trained_testing.hpp"

#include "registry/discovery.hpp"
#include "runtime/services/run_context.hpp"
#include "semblance/predicted_class.hpp"
#include "semblance/testing.hpp"
#include "study/check_pipeline.hpp"
#include "support/test_folder.hpp"

namespace semblance::testing {

std::shared_ptr<const Catalogue> shipped() {
  static const auto all = [] {
    static const TestFolder work;
    PluginSearch search;
    search.explicit_paths = {SEMBLANCE_SHIPPED_PLUGINS};
    search.manifests = work.path / "manifests";
    return std::make_shared<const Catalogue>(discover_plugins(search).catalogue);
  }();
  return all;
}

RunOptions in_memory(std::size_t threads) {
  RunOptions options;
  options.use_cache = false;
  options.threads = threads;
  options.memory = std::size_t{1} << 30;
  options.quiet = true;
  return options;
}

SelectingPipeline checked(const std::string& text) {
  CheckOptions checking;
  checking.needs_result = false;
  PipelineCheck check = check_pipeline(text, "pipeline.yaml", *shipped(), checking);
  if (!check.pipeline) throw Error(render(check.diagnostics));
  return *std::move(check.pipeline);
}

std::unique_ptr<Trained> trained_on(const std::string& text, const RunOptions& options) {
  return Trained::train(checked(text), shipped(), options);
}

namespace {

FloatMatrix rows_of(const Dataset& data, std::size_t first, std::size_t count) {
  const std::size_t most = data.outline().layout.size();
  FloatMatrix rows(count, most);
  if (data.outline().layout.ragged()) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(data.values(first + i));
    rows = FloatMatrix::ragged(most, sizes);
  }
  data.read(first, rows.view());
  return rows;
}

}  // namespace

CopiedRows copied(const PipelineNode& source, bool training_only) {
  const auto component = shipped()->create(source.component);
  TestContext context(2, mixed_seed(source.seed, source.component.id));
  const auto data = dynamic_cast<const Source&>(*component).open(context);
  const Outline& outline = data->outline();
  struct Values {
    FloatMatrix train, test;
  };
  const auto values = std::make_shared<Values>();
  values->train = rows_of(*data, 0, outline.train_rows);
  values->train.values.insert(values->train.values.begin(), 0);
  values->test = rows_of(*data, outline.train_rows, outline.test_rows);
  CopiedRows copy;
  copy.test = values->test;
  copy.data.layout = outline.layout;
  copy.data.train = std::as_const(values->train).view();
  ++copy.data.train.data;
  copy.data.labels.assign(data->labels().begin(), data->labels().end());
  copy.data.classes = outline.classes;
  copy.data.columns = outline.columns;
  copy.data.owner = values;
  if (training_only)
    copy.data.labels.resize(outline.train_rows);
  else
    copy.data.test = std::as_const(values->test).view();
  return copy;
}

TwoClouds::TwoClouds(std::size_t rows, std::uint64_t seed)
    : rows_(rows), values_(std::make_shared<std::vector<float>>()) {
  Random random(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    labels_.push_back(static_cast<std::int32_t>(i % 2));
    for (std::size_t c = 0; c < 4; ++c)
      values_->push_back(static_cast<float>(random.normal() + (i % 2 == 0 ? -1.5 : 1.5)));
  }
}

std::shared_ptr<const Dataset> TwoClouds::data(std::size_t test) const {
  BorrowedData data;
  data.layout = Layout::vector(4);
  data.train = view().rows_range(0, rows_ - test);
  data.test = view().rows_range(rows_ - test, test);
  data.labels = labels_;
  data.classes = {"left", "right"};
  data.owner = values_;
  return std::make_shared<BorrowedRows>(std::move(data));
}

double TwoClouds::accuracy(const FloatMatrix& scores) const {
  std::size_t right = 0;
  for (std::size_t i = 0; i < scores.rows; ++i)
    right += predicted_class(scores.view().row_span(i)) == labels_[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(scores.rows);
}

}  // namespace semblance::testing
