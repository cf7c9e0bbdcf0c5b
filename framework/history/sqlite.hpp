// SPDX-License-Identifier: MIT
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <string>

/// The small part of SQLite that the history needs. All functions throw Error with the file's name.
namespace semblance::sqlite {

class Database {
 public:
  Database(std::filesystem::path file, bool create);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Statements without a result.
  void execute(const char* sql);

  /// The first value of the first row.
  std::int64_t integer(const char* sql);

  [[noreturn]] void fail() const;

  const std::filesystem::path& file() const { return file_; }
  ::sqlite3* handle() const { return handle_; }
  int changes() const { return ::sqlite3_changes(handle_); }

 private:
  std::filesystem::path file_;
  ::sqlite3* handle_ = nullptr;
};

/// One prepared statement; parameters and columns in the order of the SQL.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(const std::string& text);
  Statement& bind(double number);

  /// Whether there is a (further) row.
  bool step();

  std::string text(int column) const;
  double number(int column) const { return ::sqlite3_column_double(handle_, column); }
  std::int64_t integer(int column) const { return ::sqlite3_column_int64(handle_, column); }

 private:
  Database& database_;
  ::sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

/// A transaction that writes: undone unless commit() was reached.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {
    database_.execute("BEGIN IMMEDIATE");
  }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace semblance::sqlite
