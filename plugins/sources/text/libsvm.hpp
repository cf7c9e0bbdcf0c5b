// SPDX-License-Identifier: MIT
#pragma once

#include "table_source.hpp"
#include "text/sparse_text.hpp"

namespace semblance {

/// LIBSVM's sparse text format, read into dense or sparse rows.
class LibsvmFile final : public TableSource {
 public:
  void check_parameters() const override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<LibsvmFile> declare();

 private:
  SparseFormat format() const;
  /// The index of the first value; `width`: the number of values per row, 0: unknown.
  std::size_t first_index(const SparseRows& sparse, std::size_t width) const;

  void check_is_no_kernel(const SparseRows& sparse) const;
  bool sparse() const;
  std::unique_ptr<Dataset> sparse_data(SparseRows sparse, const Layout& layout, std::size_t first,
                                       std::size_t train_rows, Context& context) const;

  std::int64_t dimension_ = 0;
  std::string first_index_ = "1";
  bool precomputed_ = false;
  std::string rows_ = "dense";
};

}  // namespace semblance
