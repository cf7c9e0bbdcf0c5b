// SPDX-License-Identifier: MIT
#pragma once

#include "arrays/npy_file.hpp"
#include "rows/array_facts.hpp"

namespace semblance::sources {

/// Arrays of NumPy.
class Npy final : public ArraysSource<Path> {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Npy> declare();

 private:
  /// Whether rows are sequences; only then may they differ in size.
  bool is_sequence() const;
  std::string length_file() const;
  std::string test_length_file() const;
  /// The files of what is known of path's rows, and of test_path's.
  FactPlaces fact_files() const;
  FactPlaces test_fact_files() const;
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

  std::string layout_ = "auto";
  Path lengths_;
  Path test_lengths_;
  std::int64_t longest_ = 0;
};

}  // namespace semblance::sources
