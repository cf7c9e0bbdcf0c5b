// SPDX-License-Identifier: MIT
#pragma once

#include "arrays/npy_file.hpp"
#include "table_source.hpp"

namespace semblance::sources {

/// Arrays of NumPy.
class Npy final : public TableSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  bool keeps_missing() const override { return missing_ == "keep"; }
  bool gives_weights() const override { return !weights_.value.empty(); }
  bool gives_groups() const override { return !groups_.value.empty(); }
  TargetKind target_kind() const override {
    if (!targets_.value.empty()) return TargetKind::numbers;
    return labels_.value.empty() ? TargetKind::none : TargetKind::classes;
  }
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Npy> declare();

 protected:
  std::string way_to_numbers() const override {
    return "name the file in 'targets' in place of 'labels'";
  }

 private:
  /// Whether rows are sequences; only then may they differ in size.
  bool is_sequence() const;
  /// A file that a parameter names, as given; empty: none. For a model only what is given for the
  /// new rows counts, by `parameter`; null: never.
  std::string given_file(const Path& path, const char* parameter) const;
  std::string length_file() const;
  std::string test_length_file() const { return given_file(test_lengths_, nullptr); }
  /// Sequences of one array, or of two with the same channels: how many steps each has.
  struct Sequences {
    Layout layout;
    std::vector<std::size_t> lengths;  ///< of path's rows, then of test_path's
    std::size_t first = 0;             ///< how many rows path has
    std::size_t values = 0;            ///< of all rows
  };
  Sequences sequences(const NpyReader& train, const NpyReader* test, Context& context) const;
  std::unique_ptr<Dataset> open_sequences(NpyReader& train, NpyReader* test,
                                          Context& context) const;
  /// The outline of rows with known labels, without reading values.
  Outline labelled_outline(const Layout& layout, std::size_t first, std::size_t second,
                           Context& context) const;

  /// How the rows of an array are laid out; throws DataError if `layout` cannot be.
  Layout layout_of(const std::string& file, const NpyHeader& header) const;
  /// Whether the rows have labels or targets.
  bool has_answers() const;
  /// What is known of path's rows, then of test_path's.
  RowFacts read_facts(std::size_t first, std::size_t second, Context& context) const;
  template <class T>
  std::unique_ptr<Dataset> open_as(NpyReader& train, NpyReader* test, Context& context) const;

  Path labels_;
  Path test_labels_;
  Path targets_;
  Path test_targets_;
  Path weights_;
  Path groups_;
  std::string missing_ = "refuse";
  std::string layout_ = "auto";
  Path lengths_;
  Path test_lengths_;
  std::int64_t longest_ = 0;
};

}  // namespace semblance::sources
