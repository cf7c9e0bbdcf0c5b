// SPDX-License-Identifier: MIT
#include "data/transfer.hpp"

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <memory>
#include <system_error>
#include <thread>

#include "support/atomic_file.hpp"

namespace semblance {
namespace {

namespace fs = std::filesystem;
using Kind = TransferError::Kind;

/// Attempts without a single new byte before giving up.
constexpr int patience = 4;

void start_library() {
  // Once per process, before any thread: the verb that fetches has none.
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw Error("cannot start libcurl");
}

fs::path origin_file(const Transfer& transfer) { return transfer.part.string() + ".origin"; }

std::uint64_t size_of(const fs::path& file) {
  std::error_code failure;
  const auto size = fs::file_size(file, failure);
  return failure ? 0 : size;
}

/// One request: from its headers and its body to the end of the part.
class Request {
 public:
  explicit Request(const Transfer& transfer) : transfer_(transfer) {
    descriptor_ = ::open(transfer.part.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_writing("cannot create it", errno);
    begin_ = size_of(transfer.part);
    if (begin_ > 0) {
      std::ifstream in(origin_file(transfer));
      std::string url;
      std::getline(in, url);
      std::getline(in, validator_);
      // From another address, or of unknown origin: starts from the beginning.
      if (url != transfer.url) begin_ = 0;
    }
    done_ = begin_;
  }
  ~Request() {
    curl_slist_free_all(headers_);
    curl_easy_cleanup(handle_);
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  bool resumes() const { return begin_ > 0; }
  std::uint64_t done() const { return done_; }
  std::uint64_t fresh() const { return fresh_; }

  CURLcode perform() {
    handle_ = curl_easy_init();
    if (!handle_) throw Error("cannot start libcurl");
    set(CURLOPT_URL, transfer_.url.c_str());
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 10L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_CONNECTTIMEOUT, 20L);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, 60L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "semblance");
    set(CURLOPT_ERRORBUFFER, reason_);
    set(CURLOPT_WRITEFUNCTION, &Request::on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Request::on_header);
    set(CURLOPT_HEADERDATA, this);
    const std::string range = std::to_string(begin_) + "-";
    if (resumes()) {
      set(CURLOPT_RANGE, range.c_str());
      if (!validator_.empty()) {
        headers_ = curl_slist_append(nullptr, ("If-Range: " + validator_).c_str());
        set(CURLOPT_HTTPHEADER, headers_);
      }
    }
    const CURLcode result = curl_easy_perform(handle_);
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status_);
    if (problem_) std::rethrow_exception(problem_);
    if (result == CURLE_OK && !begun_) begin_body();  // an empty file
    return result;
  }

  long status() const { return status_; }
  std::string reason(CURLcode code) const {
    return reason_[0] ? reason_ : curl_easy_strerror(code);
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    if (curl_easy_setopt(handle_, option, value) != CURLE_OK)
      throw Error("libcurl is too old or built without http");
  }

  static std::size_t on_header(char* data, std::size_t, std::size_t bytes, void* self) {
    static_cast<Request*>(self)->header({data, bytes});
    return bytes;
  }

  static std::size_t on_body(char* data, std::size_t, std::size_t bytes, void* self) {
    auto& request = *static_cast<Request*>(self);
    try {
      request.body({data, bytes});
      return bytes;
    } catch (...) {
      request.problem_ = std::current_exception();
      return bytes + 1;  // ends the transfer
    }
  }

  void header(std::string_view line) {
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
    if (line.starts_with("HTTP/")) etag_ = modified_ = content_range_ = "";  // after a redirection
    const auto value = [&](std::string_view name) {
      if (line.size() < name.size() || ::strncasecmp(line.data(), name.data(), name.size()) != 0)
        return std::string();
      const auto text = line.substr(name.size());
      const auto begin = text.find_first_not_of(" \t");
      return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin));
    };
    if (auto text = value("etag:"); !text.empty()) etag_ = text;
    if (auto text = value("last-modified:"); !text.empty()) modified_ = text;
    if (auto text = value("content-range:"); !text.empty()) content_range_ = text;
  }

  /// Whether a range such as "bytes 100-199/200" begins at `place`.
  bool goes_on_at(std::uint64_t place) const {
    constexpr std::string_view unit = "bytes ";
    std::uint64_t first = 0;
    if (!content_range_.starts_with(unit)) return false;
    const char* begin = content_range_.data() + unit.size();
    const char* end = content_range_.data() + content_range_.size();
    return std::from_chars(begin, end, first).ec == std::errc() && first == place;
  }

  /// Called after the headers: decides whether the remaining part follows, or the whole file.
  void begin_body() {
    begun_ = true;
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    if (status == 206 && !goes_on_at(begin_))
      throw TransferError(Kind::refused, "the server sent a different part than requested");
    if (status != 206) begin_ = done_ = 0;
    if (begin_ == 0 && ::ftruncate(descriptor_, 0) != 0) fail_writing("cannot empty it", errno);
    if (::lseek(descriptor_, static_cast<off_t>(begin_), SEEK_SET) < 0)
      fail_writing("cannot continue writing it", errno);
    curl_off_t length = -1;
    curl_easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    total_ = length >= 0 ? begin_ + static_cast<std::uint64_t>(length) : 0;
    if (transfer_.bytes && total_ > 0 && total_ != *transfer_.bytes)
      throw TransferError(Kind::wrong, fmt::format("{} has {} bytes there, not {}", transfer_.url,
                                                   total_, *transfer_.bytes));
    if (status != 206) write_origin();
  }

  void write_origin() {
    // A weak ETag does not guarantee equal bytes.
    const std::string validator = !etag_.empty() && !etag_.starts_with("W/") ? etag_ : modified_;
    write_file_atomically(origin_file(transfer_), transfer_.url + "\n" + validator + "\n");
  }

  void body(std::string_view bytes) {
    if (!begun_) begin_body();
    const std::uint64_t limit = transfer_.bytes.value_or(transfer_.at_most);
    if (done_ + bytes.size() > limit)
      throw TransferError(Kind::wrong,
                          fmt::format("{} has more than {} bytes there", transfer_.url, limit));
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail_writing("cannot write", errno);
      if (written <= 0) continue;
      bytes.remove_prefix(static_cast<std::size_t>(written));
      done_ += static_cast<std::uint64_t>(written);
      fresh_ += static_cast<std::uint64_t>(written);
    }
    if (transfer_.progress) transfer_.progress(done_, total_);
  }

  [[noreturn]] void fail_writing(const char* what, int code) const {
    throw Error(fmt::format("{}: {}: {}", transfer_.part.string(), what,
                            std::generic_category().message(code)));
  }

  const Transfer& transfer_;
  CURL* handle_ = nullptr;
  curl_slist* headers_ = nullptr;
  char reason_[CURL_ERROR_SIZE] = {};
  int descriptor_ = -1;
  long status_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t fresh_ = 0;
  std::uint64_t total_ = 0;
  bool begun_ = false;
  std::string validator_, etag_, modified_, content_range_;
  std::exception_ptr problem_;
};

bool unreachable(CURLcode code) {
  return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_RESOLVE_PROXY ||
         code == CURLE_COULDNT_CONNECT;
}

/// Throws for errors that another attempt would not fix.
[[noreturn]] void give_up(const Transfer& transfer, const Request& request, CURLcode code) {
  const auto fail = [&](Kind kind, const std::string& what) {
    throw TransferError(kind, fmt::format("{}: {}", transfer.url, what));
  };
  if (unreachable(code)) fail(Kind::unreachable, request.reason(code));
  if (code == CURLE_HTTP_RETURNED_ERROR) {
    const long status = request.status();
    fail(status == 404 || status == 410 ? Kind::missing : Kind::refused,
         fmt::format("the server answers {}", status));
  }
  fail(Kind::refused, request.reason(code));
  throw Error("internal error: a transfer ended without a reason");
}

bool worth_another(const Request& request, CURLcode code) {
  if (code == CURLE_HTTP_RETURNED_ERROR) return request.status() == 429 || request.status() >= 500;
  return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR ||
         code == CURLE_OPERATION_TIMEDOUT || code == CURLE_GOT_NOTHING ||
         code == CURLE_HTTP2_STREAM || code == CURLE_HTTP2 || code == CURLE_SSL_CONNECT_ERROR;
}

void check_end(const Transfer& transfer) {
  const std::uint64_t got = size_of(transfer.part);
  if (!transfer.bytes || got == *transfer.bytes) return;
  throw TransferError(Kind::wrong, fmt::format("{} has {} bytes there, not {}", transfer.url, got,
                                               *transfer.bytes));
}

void forget(const Transfer& transfer) noexcept {
  std::error_code ignored;
  fs::remove(transfer.part, ignored);
  fs::remove(origin_file(transfer), ignored);
}

bool fetch(const Transfer& transfer) {
  start_library();
  const std::uint64_t before = size_of(transfer.part);
  if (transfer.bytes && before == *transfer.bytes && before > 0) return true;
  if (before > transfer.bytes.value_or(transfer.at_most)) forget(transfer);
  bool resumed = false;
  for (int idle = 0;;) {
    Request request(transfer);
    const CURLcode code = request.perform();
    if (code == CURLE_OK) {
      resumed = resumed || request.done() > request.fresh();
      check_end(transfer);
      return resumed;
    }
    if (request.status() == 416 && request.resumes()) {
      // The file on the server has become shorter.
      forget(transfer);
      continue;
    }
    if (!worth_another(request, code)) give_up(transfer, request, code);
    idle = request.fresh() > 0 ? 0 : idle + 1;
    if (idle == patience)
      throw TransferError(Kind::broken, fmt::format("{}: {}; {} bytes are kept", transfer.url,
                                                    request.reason(code), size_of(transfer.part)));
    std::this_thread::sleep_for(std::chrono::milliseconds(100 << idle));
  }
}

std::string library() { return curl_version(); }

}  // namespace
}  // namespace semblance

extern "C" __attribute__((visibility("default"))) const semblance::TransferFunctions*
semblance_transfer() {
  static constexpr semblance::TransferFunctions functions = {semblance::fetch, semblance::forget,
                                                             semblance::library};
  return &functions;
}
