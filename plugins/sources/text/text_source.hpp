// SPDX-License-Identifier: MIT
#pragma once

#include "table_source.hpp"
#include "text/string_rows.hpp"
#include "text/term_columns.hpp"
#include "text/terms.hpp"

namespace semblance {

/// Documents as counts of their terms.
class TextSource final : public TableSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::vector<std::string> files() const override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<TextSource> declare();

 private:
  TermFormat term_format() const;
  void read(const std::string& path, const StringFormat& format, StringRows& rows,
            Context& context) const;
  /// The model's, hashed ones, or those of the training samples' vocabulary.
  TermColumns columns_for(const StringRows& rows, std::size_t first, Context& context) const;
  std::vector<std::string> vocabulary(const StringRows& rows,
                                      const std::vector<std::size_t>& training,
                                      Context& context) const;

  std::string header_ = "auto";
  std::string label_ = "1";
  std::string text_ = "2";
  std::string encoding_ = "utf8";
  std::string terms_ = "words";
  std::int64_t shortest_ = 1;
  std::int64_t longest_ = 1;
  std::int64_t letters_ = 2;
  bool keep_case_ = false;
  std::int64_t least_rows_ = 2;
  std::int64_t most_columns_ = 0;
  std::int64_t hashed_columns_ = 0;
};

}  // namespace semblance
