// SPDX-License-Identifier: MIT
#pragma once

#include "table_source.hpp"
#include "text/string_rows.hpp"

namespace semblance {

/// Strings over an alphabet, from tables of labels and texts and from FASTA.
class Strings final : public TableSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  bool reads_slowly() const override { return true; }
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Strings> declare();

 private:
  StringFormat string_format() const;
  /// The alphabet of the model or the parameter; empty if it is to be collected from the data.
  Alphabet known_alphabet() const;
  template <class Code>
  std::unique_ptr<Dataset> encoded(StringRows rows, const Alphabet& alphabet, RowOrigins origins,
                                   std::size_t first, std::size_t numbered_rows,
                                   Context& context) const;

  std::string format_ = "auto";
  std::string header_ = "auto";
  std::string label_ = "1";
  std::string text_ = "2";
  std::string words_ = "blank";
  std::int64_t label_parts_ = 0;
  std::string label_separator_ = ".";
  std::int64_t smallest_class_ = 0;
  std::string letters_ = "keep";
  std::string alphabet_;
  std::string unknown_ = "refuse";
  std::int64_t longest_ = 0;
};

}  // namespace semblance
