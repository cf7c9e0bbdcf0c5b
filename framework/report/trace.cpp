// SPDX-License-Identifier: MIT
#include "report/trace.hpp"

#include <fmt/format.h>

#include <atomic>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "support/files/atomic_file.hpp"

namespace semblance {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> next{1};
  return next++;
}

double microseconds(Trace::Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append_name(std::string_view what, std::size_t thread, std::string_view name,
                 std::string& out) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"name":"{}","ph":"M","pid":1,"tid":{},"args":{{"name":{}}}}},)"
                 "\n",
                 what, thread, json_text(name));
}

}  // namespace

Trace::Trace(std::string process_name, std::size_t spans_per_thread)
    : process_name_(std::move(process_name)), spans_per_thread_(spans_per_thread), id_(next_id()) {}

Trace::~Trace() = default;

Trace::Label Trace::label(std::string_view node, std::string_view phase) {
  std::pair<std::string, std::string> key(node, phase);
  const std::lock_guard lock(mutex_);
  const auto [found, added] = label_index_.emplace(key, static_cast<Label>(labels_.size()));
  if (added) labels_.push_back(std::move(key));
  return found->second;
}

Trace::Buffer& Trace::own_buffer() {
  thread_local std::uint64_t owner = 0;
  thread_local Buffer* buffer = nullptr;
  if (owner == id_) return *buffer;
  const std::lock_guard lock(mutex_);
  Buffer*& known = buffer_of_thread_[std::this_thread::get_id()];
  if (!known) {
    buffers_.push_back(std::make_unique<Buffer>());
    known = buffers_.back().get();
    known->name = fmt::format("thread {}", buffers_.size());
  }
  owner = id_;
  return *(buffer = known);
}

void Trace::name_thread(std::string_view name) {
  Buffer& buffer = own_buffer();
  const std::lock_guard lock(buffer.mutex);
  buffer.name = name;
}

void Trace::record(Label label, std::uint64_t first_row, Clock::time_point start,
                   Clock::time_point end) {
  Buffer& buffer = own_buffer();
  const std::lock_guard lock(buffer.mutex);
  if (buffer.events.size() < spans_per_thread_)
    buffer.events.push_back({start, end, first_row, label});
  else
    ++buffer.dropped;
}

std::optional<Trace::Open> Trace::exchange_open(std::optional<Open> open) {
  Buffer& buffer = own_buffer();
  const std::lock_guard lock(buffer.mutex);
  return std::exchange(buffer.open, open);
}

std::vector<Trace::Work> Trace::work() const {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  std::vector<Work> found;
  for (const auto& buffer : buffers_) {
    const std::lock_guard buffer_lock(buffer->mutex);
    if (!buffer->open) continue;
    const auto& [node, phase] = labels_.at(buffer->open->label);
    found.push_back({buffer->name, node, phase,
                     std::chrono::duration<double>(now - buffer->open->start).count()});
  }
  return found;
}

void Trace::append_events(const Buffer& buffer, std::size_t thread,
                          const std::vector<std::string>& heads, std::string& out) const {
  append_name("thread_name", thread, buffer.name, out);
  for (const Event& event : buffer.events) {
    fmt::format_to(std::back_inserter(out), R"({{{},"ts":{:.3f},"dur":{:.3f},"tid":{})",
                   heads.at(event.label), microseconds(event.start - start_),
                   microseconds(event.end - event.start), thread);
    if (event.first_row != no_row)
      fmt::format_to(std::back_inserter(out), R"(,"args":{{"first_row":{}}})", event.first_row);
    out += "},\n";
  }
}

std::string Trace::json() const {
  std::string out = "{\"traceEvents\":[\n";
  const std::lock_guard lock(mutex_);
  append_name("process_name", 0, process_name_, out);
  std::vector<std::string> heads;
  for (const auto& [node, phase] : labels_)
    heads.push_back(fmt::format(R"("name":{},"cat":{},"ph":"X","pid":1)",
                                json_text(node + ": " + phase), json_text(phase)));
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const std::lock_guard buffer_lock(buffers_[i]->mutex);
    append_events(*buffers_[i], i + 1, heads, out);
    dropped += buffers_[i]->dropped;
  }
  out.erase(out.rfind(','), 1);  // the comma after the last event
  fmt::format_to(std::back_inserter(out),
                 "],\n\"displayTimeUnit\":\"ms\",\"otherData\":{{\"dropped_spans\":{}}}}}\n",
                 dropped);
  return out;
}

void Trace::write(const std::filesystem::path& file) const { write_file_atomically(file, json()); }

}  // namespace semblance
