// SPDX-License-Identifier: MIT
#include "serve/rows/json_rows.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "semblance/error.hpp"
#include "support/json_string.hpp"
#include "support/json_text.hpp"

namespace semblance::serving {
namespace {

using Json = nlohmann::json;

/// Consumes values as they are parsed. So a document is never in memory as a tree, and numbers are
/// read as float32 from their digits, like those of a table.
class RowReader final : public nlohmann::json_sax<Json> {
 public:
  RowReader(JsonRows& reader, GivenRows& rows, bool single)
      : reader_(reader), name_(reader.text_name()), rows_(rows), single_(single), state_(start()) {}

  bool null() override { return take("", "null"); }
  bool boolean(bool value) override {
    return take(value ? "true" : "false", value ? "true" : "false");
  }
  bool number_integer(number_integer_t value) override {
    return take(std::to_string(value), "a number");
  }
  bool number_unsigned(number_unsigned_t value) override {
    return take(std::to_string(value), "a number");
  }
  bool number_float(number_float_t, const string_t& text) override {
    return take(text, "a number");
  }
  bool string(string_t& text) override {
    const bool is_row = state_ == State::row && !name_.empty();
    if (is_row) begin_row(State::values);
    take(std::move(text), "a text");
    has_texts_ = true;
    return !is_row || end_row();
  }
  bool binary(binary_t&) override { unexpected("binary data"); }

  bool start_object(std::size_t) override {
    if (state_ == State::document)
      state_ = State::keys;
    else if (state_ == State::row)
      begin_row(State::fields);
    else
      unexpected("an object");
    return true;
  }
  bool key(string_t& name) override {
    if (state_ == State::fields) {
      keys_.push_back(std::move(name));
      return true;
    }
    if (name != "rows")
      throw Error("the key '" + one_line(name.substr(0, 40)) +
                  "' is unknown; write {\"rows\": [...]}");
    if (any_rows_) throw Error("the key 'rows' appears twice; write it once");
    any_rows_ = true;
    state_ = State::rows;
    return true;
  }
  bool end_object() override {
    if (state_ == State::fields) return end_row();
    if (!any_rows_) throw Error("the key 'rows' is missing; write {\"rows\": [...]}");
    state_ = State::end;
    return true;
  }
  bool start_array(std::size_t) override {
    if (state_ == State::rows)
      state_ = State::row;
    else if (state_ == State::row)
      begin_row(State::values);
    else
      unexpected("an array");
    return true;
  }
  bool end_array() override {
    if (state_ == State::values) return end_row();
    state_ = State::keys;
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    throw Error(json_problem(problem));
  }

 private:
  enum class State { document, keys, rows, row, values, fields, end };

  State start() const { return single_ ? State::row : State::document; }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error((single_ ? "" : "row " + std::to_string(rows_.rows() + 1) + " (counted from 1): ") +
                what);
  }

  [[noreturn]] void unexpected(const std::string& what) const {
    switch (state_) {
      case State::document:
      case State::keys:
      case State::rows:
        throw Error(what + " stands where rows are expected; write {\"rows\": [[...], ...]}");
      case State::row:
        fail("is " + what + "; write " +
             (name_.empty() ? "an array of values, or an object of values by name"
                            : "a text, or {" + json_string(name_) + ": \"...\"}"));
      default:
        fail(what + " stands " +
             (state_ == State::fields
                  ? "in column " + in_quotes(keys_.back())
                  : "at position " + std::to_string(texts_.size() + 1) + " (counted from 1)") +
             " instead of a value; correct it");
    }
  }

  void begin_row(State state) {
    keys_.clear();
    texts_.clear();
    has_texts_ = false;
    state_ = state;
  }

  bool take(std::string text, const char* what) {
    if (state_ != State::values && state_ != State::fields) unexpected(what);
    if (state_ == State::values && texts_.size() >= rows_.width())
      fail("has more than " + std::to_string(rows_.width()) +
           " values, as many as the model takes");
    texts_.push_back(std::move(text));
    return true;
  }

  bool end_row() {
    try {
      if (state_ == State::fields && keys_.empty() && !rows_.sparse())
        throw Error("has no values; give all columns of the model");
      reader_.add(keys_, texts_, has_texts_, rows_);
    } catch (const TooMuch&) {
      throw;
    } catch (const Error& problem) {
      fail(problem.what());
    }
    state_ = single_ ? State::end : State::row;
    return true;
  }

  JsonRows& reader_;
  const std::string name_;  ///< of texts; empty: rows have none
  GivenRows& rows_;
  bool single_;
  State state_;
  bool any_rows_ = false;
  bool has_texts_ = false;  ///< the present row
  std::vector<std::string> keys_, texts_;
};

}  // namespace

void JsonRows::read(std::string_view text, GivenRows& rows) {
  RowReader reader(*this, rows, false);
  Json::sax_parse(text, &reader);
}

void JsonRows::read_row(std::string_view line, GivenRows& rows) {
  RowReader reader(*this, rows, true);
  Json::sax_parse(line, &reader);
}

void JsonRows::add(const std::vector<std::string>& keys, const std::vector<std::string>& texts,
                   bool has_texts, GivenRows& rows) {
  const std::vector<std::string_view> fields(texts.begin(), texts.end());
  values_.assign(rows.width(), 0);
  if (keys.empty() && texts.empty() && rows.sparse()) return rows.add(values_);
  // Counts of terms are numbers, which are never empty; null may stand for a text.
  if (texts_ && (has_texts || std::ranges::all_of(fields, &std::string_view::empty)))
    texts_->read_texts(keys, fields, values_);
  else
    read_values(keys, fields);
  rows.add(values_);
}

void JsonRows::read_values(const std::vector<std::string>& keys,
                           const std::vector<std::string_view>& fields) {
  if (!begun_ || keys != keys_ || (keys.empty() && !row_.has_fields(fields.size()))) {
    begun_ = false;
    row_.find(fields, keys, [&](const std::string& what) {
      if (texts_ && std::ranges::count(keys, text_name()) > 0)
        throw Error("has no text in " + in_quotes(text_name()) + "; write it in quotes");
      throw Error(what);
    });
    begun_ = true;
    keys_ = keys;
  }
  row_.read(fields, values_);
}

}  // namespace semblance::serving
