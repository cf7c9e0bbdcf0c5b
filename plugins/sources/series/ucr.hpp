// SPDX-License-Identifier: MIT
#pragma once

#include "series/series_rows.hpp"
#include "table_source.hpp"

namespace semblance {

/// Time series in the formats of the UCR and UEA archives.
class Ucr final : public TableSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Ucr> declare();

 private:
  /// The files to read, those of a folder where 'path' names one.
  struct Parts {
    std::string train;
    std::string test;  ///< empty: none
  };
  Parts parts() const;
  void refuse_splits_of_folder() const;
  SeriesFormat series_format() const;
  Layout layout_of(const SeriesRows& rows) const;

  std::string format_ = "auto";
  std::string labels_ = "present";
  std::string missing_ = "refuse";
  std::int64_t longest_ = 0;
};

}  // namespace semblance
