// SPDX-License-Identifier: MIT
#include "history/sqlite.hpp"

#include <fmt/format.h>

#include "semblance/error.hpp"

namespace semblance::sqlite {
namespace {

constexpr int patience_milliseconds = 10'000;

const char* advice(int code) {
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return "; move it away to start a new one";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "; another process is using it, try again";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return "; it and its folder must be writable";
    default:
      return "";
  }
}

}  // namespace

Database::Database(std::filesystem::path file, bool create) : file_(std::move(file)) {
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  if (::sqlite3_open_v2(file_.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string reason = handle_ ? ::sqlite3_errmsg(handle_) : "out of memory";
    const int code = handle_ ? ::sqlite3_errcode(handle_) : SQLITE_NOMEM;
    ::sqlite3_close(handle_);
    throw Error(fmt::format("the history '{}': {}{}", file_.string(), reason, advice(code)));
  }
  ::sqlite3_busy_timeout(handle_, patience_milliseconds);
}

Database::~Database() { ::sqlite3_close(handle_); }

void Database::fail() const {
  throw Error(fmt::format("the history '{}': {}{}", file_.string(), ::sqlite3_errmsg(handle_),
                          advice(::sqlite3_errcode(handle_))));
}

void Database::execute(const char* sql) {
  if (::sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::integer(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (::sqlite3_prepare_v2(database.handle(), sql, -1, &handle_, nullptr) != SQLITE_OK)
    database.fail();
}

Statement::~Statement() { ::sqlite3_finalize(handle_); }

Statement& Statement::bind(const std::string& text) {
  if (::sqlite3_bind_text(handle_, ++bound_, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT) != SQLITE_OK)
    database_.fail();
  return *this;
}

Statement& Statement::bind(double number) {
  if (::sqlite3_bind_double(handle_, ++bound_, number) != SQLITE_OK) database_.fail();
  return *this;
}

bool Statement::step() {
  const int code = ::sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
  return code == SQLITE_ROW;
}

std::string Statement::text(int column) const {
  const auto* begin = reinterpret_cast<const char*>(::sqlite3_column_text(handle_, column));
  return begin
             ? std::string(begin, static_cast<std::size_t>(::sqlite3_column_bytes(handle_, column)))
             : std::string();
}

Transaction::~Transaction() {
  // A failure here has no remedy: the journal undoes the change when the file is next opened.
  if (open_) ::sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace semblance::sqlite
