// SPDX-License-Identifier: MIT
#include "serve/rows/json_rows.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "semblance/parsed_float.hpp"
#include "support/json_text.hpp"

namespace semblance::serving {
namespace {

using Json = nlohmann::json;

/// Consumes values as they are parsed. So a document is never in memory as a tree, and numbers are
/// read as float32 from their digits, like those of a table.
class RowReader final : public nlohmann::json_sax<Json> {
 public:
  RowReader(const RowColumns& columns, GivenRows& rows, bool single)
      : columns_(columns),
        rows_(rows),
        single_(single),
        named_(columns, columns.named() ? rows.width() : 0, rows.sparse()),
        state_(single ? State::row : State::document) {}

  bool null() override {
    if (state_ == State::fields) {
      in_row([&] { named_.set_missing(*field_); });
      return true;
    }
    if (state_ != State::values) unexpected("null");
    if (!columns_.may_lack(values_.size()))
      fail("has no value (null) " + where() + "; give one, or omit the row");
    return number(std::numeric_limits<float>::quiet_NaN(), "null");
  }
  bool boolean(bool value) override { unexpected(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return number(static_cast<float>(value), std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<float>(value), std::to_string(value));
  }
  bool number_float(number_float_t whole, const string_t& text) override {
    float value = 0;
    // A category that is a number has only one spelling, as in files.
    constexpr double most = 9e15;
    if (of_text() && whole == std::floor(whole) && std::abs(whole) <= most)
      return number(0, std::to_string(static_cast<std::int64_t>(whole)));
    if (const char* problem = parse_float(text, value))
      fail("the number " + in_quotes(text) + " " + where() + " " + problem + "; correct it");
    return number(value, text);
  }
  bool string(string_t& text) override {
    if (!of_text()) {
      if (state_ == State::values || state_ == State::fields)
        fail("the text " + in_quotes(text) + " " + where() + " is not a number; correct it");
      unexpected("a text");
    }
    take_text(text);
    return true;
  }
  bool binary(binary_t&) override { unexpected("binary data"); }

  bool start_object(std::size_t) override {
    if (state_ == State::document) {
      state_ = State::keys;
    } else if (state_ == State::row) {
      if (!columns_.named())
        fail("is given by names, but the model's columns have none; give an array of " +
             std::to_string(rows_.width()) + " values");
      named_.begin();
      state_ = State::fields;
    } else {
      unexpected("an object");
    }
    return true;
  }
  bool key(string_t& name) override {
    if (state_ == State::keys) {
      if (name != "rows")
        throw Error("the key " + in_quotes(name) + " is unknown; write {\"rows\": [...]}");
      if (any_rows_) throw Error("the key 'rows' appears twice; write it once");
      any_rows_ = true;
      state_ = State::rows;
    } else {
      in_row([&] { field_ = &columns_.known(name); });
    }
    return true;
  }
  bool end_object() override {
    if (state_ == State::fields) {
      in_row([&] { rows_.add(named_.finish()); });
      state_ = single_ ? State::end : State::row;
    } else {
      if (!any_rows_) throw Error("the key 'rows' is missing; write {\"rows\": [...]}");
      state_ = State::end;
    }
    return true;
  }
  bool start_array(std::size_t) override {
    if (state_ == State::rows) {
      state_ = State::row;
    } else if (state_ == State::row) {
      values_.clear();
      state_ = State::values;
    } else {
      unexpected("an array");
    }
    return true;
  }
  bool end_array() override {
    if (state_ == State::values) {
      in_row([&] {
        columns_.check_width(values_.size(), rows_.width());
        rows_.add(values_);
      });
      state_ = single_ ? State::end : State::row;
    } else {
      state_ = State::keys;
    }
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    throw Error(json_problem(problem));
  }

 private:
  enum class State { document, keys, rows, row, values, fields, end };

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
        fail("is " + what + "; write an array of values, or an object of values by name");
      default:
        fail(what + " stands " + where() + " instead of a " +
             (columns_.hold_names() ? "name" : "number") + "; correct it");
    }
  }

  /// Whether the present value is a category or a name.
  bool of_text() const {
    if (columns_.hold_names()) return state_ == State::values || state_ == State::fields;
    return state_ == State::fields && !field_->categories.empty();
  }

  void take_text(const std::string& text) {
    if (state_ == State::fields) return in_row([&] { named_.set_text(*field_, text); });
    check_room();
    in_row([&] { values_.push_back(columns_.number_of_name(values_.size(), text)); });
  }

  void check_room() const {
    if (values_.size() >= rows_.width())
      fail("has more than " + std::to_string(rows_.width()) +
           " values, as many as the model takes");
  }

  /// The present position in a row, for messages.
  std::string where() const {
    if (state_ == State::fields) return "in column " + in_quotes(field_->name);
    return "at position " + std::to_string(values_.size() + 1) + " (counted from 1)";
  }

  template <class Body>
  void in_row(const Body& body) const {
    try {
      body();
    } catch (const TooMuch&) {
      throw;
    } catch (const Error& problem) {
      fail(problem.what());
    }
  }

  bool number(float value, const std::string& text) {
    if (of_text()) {
      take_text(text);
    } else if (state_ == State::values) {
      check_room();
      values_.push_back(value);
    } else if (state_ == State::fields) {
      in_row([&] { named_.set_number(*field_, value); });
    } else {
      unexpected("a number");
    }
    return true;
  }

  const RowColumns& columns_;
  GivenRows& rows_;
  bool single_;
  NamedRow named_;
  State state_;
  bool any_rows_ = false;
  const RowColumns::Field* field_ = nullptr;
  std::vector<float> values_;
};

void read_all(std::string_view text, RowReader reader) { Json::sax_parse(text, &reader); }

}  // namespace

void read_json(std::string_view text, const RowColumns& columns, GivenRows& rows) {
  read_all(text, RowReader(columns, rows, false));
}

void read_json_row(std::string_view line, const RowColumns& columns, GivenRows& rows) {
  read_all(line, RowReader(columns, rows, true));
}

}  // namespace semblance::serving
