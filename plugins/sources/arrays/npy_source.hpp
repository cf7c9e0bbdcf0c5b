// SPDX-License-Identifier: MIT
#pragma once

#include "arrays/npy_file.hpp"
#include "table_source.hpp"

namespace semblance {

/// Arrays of NumPy.
class Npy final : public TableSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Npy> declare();

 private:
  /// How the rows of an array are laid out; throws DataError where `layout` cannot be.
  Layout layout_of(const std::string& file, const NpyHeader& header) const;
  /// The labels of path's rows: those that were given for them. Empty: there are none.
  std::string label_file() const;
  std::string test_label_file() const;
  /// The labels of path's rows, then of test_path's, as far as there are files with them.
  std::vector<std::int32_t> read_labels(std::size_t first, std::size_t second, ClassNames& classes,
                                        Context& context) const;
  template <class T>
  std::unique_ptr<Dataset> open_as(NpyReader& train, NpyReader* test, Context& context) const;

  Path labels_;
  Path test_labels_;
  std::string layout_ = "auto";
};

}  // namespace semblance
