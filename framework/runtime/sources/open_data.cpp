// SPDX-License-Identifier: MIT
#include "runtime/sources/open_data.hpp"

#include <algorithm>

#include "pipeline/node_identity.hpp"
#include "runtime/sources/folds.hpp"
#include "runtime/sources/setting_aside.hpp"

namespace semblance {

void OpenData::open(const Node& source, bool of_model) {
  Opened& opened = of(source);
  opened.dataset = rows_of(source);
  opened.row_numbers = row_numbers(*opened.dataset);
  const Outline& seen = opened.dataset->outline();
  const Outline& promised = *source.outline;
  if (seen.layout != promised.layout || seen.train_rows != promised.train_rows ||
      seen.test_rows != promised.test_rows || (!of_model && seen.classes != promised.classes))
    throw Error("the data differ from what their headers say");
}

std::shared_ptr<const Dataset> OpenData::whole(const Node& source) {
  const auto& spec = *source.spec;
  NodeContext context(services_, spec.name, mixed_seed(spec.seed, spec.component.id),
                      data_bytes(*source.outline), name_of_data(spec));
  std::shared_ptr<const Dataset> data = source.as<Source>().open(context);
  // What lies in a program's memory is the program's.
  if (source.outline->rows_in_place > 0) return data;
  // Values may take more room than the byte each that the plan has counted.
  const std::size_t counted = expected_bytes(source);
  memory_.take(std::max(data->bytes(), counted) - counted);
  return data;
}

std::shared_ptr<const Dataset> OpenData::rows_of(const Node& source) {
  const Fold& fold = source.spec->fold;
  const std::vector<std::int64_t>& aside = source.set_aside;
  if (fold.count == 0 && aside.empty()) return whole(source);
  const std::string same = data_identity(*source.spec, catalogue_);
  auto all = unfolded_[same].lock();
  if (!all) unfolded_[same] = all = whole(source);
  if (!aside.empty()) {
    const Outline& outline = all->outline();
    all = std::make_shared<RearrangedRows>(all, with_set_aside(outline, aside.size()),
                                           rows_with_set_aside(outline, aside));
  }
  if (fold.count == 0) return all;
  return std::make_shared<FoldedDataset>(std::move(all), fold);
}

}  // namespace semblance
