// SPDX-License-Identifier: MIT
#include "text/text_lines.hpp"

#include <algorithm>
#include <utility>

#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

class TextLines final : public RowLines, public RowTexts {
 public:
  TextLines(const NewData& model, StringFormat format, const TermFormat& terms)
      : model_(model),
        format_(std::move(format)),
        name_(parse_integer(format_.text) ? "text" : format_.text),
        terms_(terms),
        hashed_(model.layout.size()) {}

  bool is_preamble(std::string_view) override { return false; }
  bool is_open(std::string_view) override { return false; }
  bool is_header(std::string_view line) override {
    split_at_tabs(line, fields_);
    FactNames wanted = format_;
    wanted.targets.push_back(format_.text);
    return wanted.any_is_among(fields_) || say_label_and_text(fields_);
  }
  void read_header(std::string_view line) override {
    split_at_tabs(line, fields_);
    std::vector<std::string> names;
    for (const std::string_view field : fields_) names.emplace_back(trimmed(field));
    columns_ = names.size();
    text_ = place(names, columns_);
  }
  void read_row(std::string_view line, std::span<float> values) override {
    split_at_tabs(line, fields_);
    if (columns_ == 0) {
      text_ = place({}, fields_.size());
      columns_ = fields_.size();
    }
    if (fields_.size() != columns_)
      throw Error("has " + std::to_string(fields_.size()) +
                  (fields_.size() == 1 ? " field" : " fields separated by tabs") +
                  ", but the first line has " + std::to_string(columns_) +
                  "; every row needs the same number, and a text has no tabs");
    count(fields_[text_], values);
  }

  std::string text_name() const override { return name_; }
  bool takes_blanks() const override { return true; }
  void read_texts(std::span<const std::string> names, std::span<const std::string_view> texts,
                  std::span<float> values) override {
    if (names.empty()) return count(texts[place({}, texts.size())], values);
    const auto given = std::ranges::find(names, name_);
    if (given == names.end())
      throw Error("has no " + in_quotes(name_) + "; give the text under this name");
    if (std::find(given + 1, names.end(), name_) != names.end())
      throw Error("has " + in_quotes(name_) + " twice; give it once");
    count(texts[static_cast<std::size_t>(given - names.begin())], values);
  }

 private:
  /// The place of the text among fields with these names, or without.
  std::size_t place(std::span<const std::string> names, std::size_t fields) const {
    if (fields == 1) return 0;
    if (names.empty() && name_ == format_.text)
      throw Error("column " + in_quotes(name_) +
                  " of 'text' is a name, but rows without names have one field; give the text "
                  "alone");
    return required_column(format_.text, "text", names, fields,
                           [](const std::string& what) { throw Error(what); });
  }

  void count(std::string_view text, std::span<float> values) {
    if (text.empty()) throw Error("the text is empty; give one, or omit the row");
    if (!is_utf8(text)) throw Error("the text is not UTF-8; send it as UTF-8");
    std::ranges::fill(values, 0.0F);
    const std::vector<std::string>& known = model_.columns;
    terms_.for_each(text, [&](std::string_view term) {
      if (known.empty()) {
        ++values[hashed_.of(term)];
        return;
      }
      const auto found = std::ranges::lower_bound(known, term);
      if (found != known.end() && *found == term)
        ++values[static_cast<std::size_t>(found - known.begin())];
    });
  }

  const NewData& model_;
  StringFormat format_;
  std::string name_;
  Terms terms_;
  TermColumns hashed_;  ///< of a model without a vocabulary
  std::vector<std::string_view> fields_;
  std::size_t columns_ = 0;  ///< 0: not known
  std::size_t text_ = 0;
};

}  // namespace

std::unique_ptr<RowLines> text_lines(const NewData& model, StringFormat format,
                                     const TermFormat& terms) {
  return std::make_unique<TextLines>(model, std::move(format), terms);
}

}  // namespace semblance::sources
