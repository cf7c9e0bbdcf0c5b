// SPDX-License-Identifier: MIT
#include "data/transfer.hpp"

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace semblance {
namespace {

namespace fs = std::filesystem;

/// Attempts without progress before giving up.
constexpr int patience = 4;

std::uint64_t size_of(const fs::path& file) {
  std::error_code failure;
  const auto size = fs::file_size(file, failure);
  return failure ? 0 : size;
}

/// One request for what the part lacks.
class Request {
 public:
  explicit Request(const Transfer& transfer) : transfer_(transfer) {
    descriptor_ =
        ::open(transfer.part.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_writing("cannot create it", errno);
    begin = size_of(transfer.part);
  }
  ~Request() {
    curl_easy_cleanup(handle_);
    ::close(descriptor_);
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  CURLcode perform() {
    handle_ = curl_easy_init();
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
    set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(begin));
    const CURLcode result = curl_easy_perform(handle_);
    if (problem_ != 0) fail_writing("cannot write", problem_);
    return result;
  }

  /// Whether another attempt may succeed.
  bool worth_another(CURLcode code) const {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    if (code == CURLE_HTTP_RETURNED_ERROR) return status == 429 || status >= 500;
    return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR ||
           code == CURLE_OPERATION_TIMEDOUT || code == CURLE_GOT_NOTHING ||
           code == CURLE_HTTP2_STREAM || code == CURLE_HTTP2 || code == CURLE_SSL_CONNECT_ERROR;
  }

  std::string reason(CURLcode code) const {
    return transfer_.url + ": " + (reason_[0] ? reason_ : curl_easy_strerror(code));
  }

  std::uint64_t begin = 0;  ///< bytes that were there before
  bool too_large = false;

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    if (!handle_ || curl_easy_setopt(handle_, option, value) != CURLE_OK)
      throw Error("libcurl cannot be used: it is too old, or was built without http");
  }

  static std::size_t on_body(char* data, std::size_t, std::size_t bytes, void* self) {
    return static_cast<Request*>(self)->body(data, bytes) ? bytes : 0;
  }

  bool body(const char* data, std::size_t bytes) {
    too_large = begin + fresh_ + bytes > transfer_.at_most;
    if (too_large) return false;
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t written = ::write(descriptor_, data + done, bytes - done);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) problem_ = errno;
      if (written < 0) return false;
      done += static_cast<std::size_t>(written);
    }
    fresh_ += bytes;
    curl_off_t length = -1;
    curl_easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (transfer_.progress)
      transfer_.progress(begin + fresh_,
                         length < 0 ? 0 : begin + static_cast<std::uint64_t>(length));
    return true;
  }

  [[noreturn]] void fail_writing(const char* what, int code) const {
    throw Error(fmt::format("{}: {}: {}", transfer_.part.string(), what,
                            std::generic_category().message(code)));
  }

  const Transfer& transfer_;
  CURL* handle_ = nullptr;
  char reason_[CURL_ERROR_SIZE] = {};
  int descriptor_ = -1;
  std::uint64_t fresh_ = 0;
  int problem_ = 0;
};

bool fetch(const Transfer& transfer) {
  // Once per process, before any thread: the verb that fetches has none.
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw Error("cannot start libcurl");
  std::uint64_t most = size_of(transfer.part);
  for (int idle = 0;;) {
    if (!transfer.resume) fs::remove(transfer.part);
    Request request(transfer);
    const CURLcode code = request.perform();
    if (code == CURLE_OK) return request.begin > 0;
    if (request.too_large) {
      fs::remove(transfer.part);
      throw Error(fmt::format("{} has more than {} bytes there", transfer.url, transfer.at_most));
    }
    if (code == CURLE_RANGE_ERROR)  // the server sends all of it, or another part
      fs::remove(transfer.part);
    else if (!request.worth_another(code))
      throw TransferError(request.reason(code));
    const std::uint64_t size = size_of(transfer.part);
    idle = size > most ? 0 : idle + 1;
    most = std::max(most, size);
    if (idle == patience) throw Error(request.reason(code) + "; try the same command again later");
    std::this_thread::sleep_for(std::chrono::milliseconds(100 << idle));
  }
}

}  // namespace
}  // namespace semblance

extern "C" __attribute__((visibility("default"))) const semblance::TransferFunctions*
semblance_transfer() {
  static constexpr semblance::TransferFunctions functions = {semblance::fetch};
  return &functions;
}
