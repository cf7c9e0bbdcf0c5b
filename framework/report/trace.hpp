// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace semblance {

/// Records what ran when, for chrome://tracing and Perfetto, and knows what each thread works on
/// now. Thread-safe. A span costs a few tens of nanoseconds, because every thread writes into a
/// buffer of its own.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;
  /// A node's phase, named once so that recording a span needs no text.
  using Label = std::uint32_t;
  static constexpr std::uint64_t no_row = ~std::uint64_t{0};
  static constexpr std::size_t default_spans_per_thread = std::size_t{1} << 19;

  /// Once a thread has recorded `spans_per_thread` spans, further ones are only counted, as
  /// "dropped_spans" in the file.
  explicit Trace(std::string process_name, std::size_t spans_per_thread = default_spans_per_thread);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// The label for `phase` of `node`; the same one at every call.
  Label label(std::string_view node, std::string_view phase);

  /// Names the calling thread; otherwise threads are numbered in order of appearance.
  void name_thread(std::string_view name);

  /// `first_row` is the first row of the span's block, or no_row.
  void record(Label label, std::uint64_t first_row, Clock::time_point start, Clock::time_point end);

  /// What a thread works on now.
  struct Work {
    std::string thread;
    std::string node;
    std::string phase;
    double seconds;  ///< since it began
  };
  /// The innermost open span of each thread that has one.
  std::vector<Work> work() const;

  /// All spans so far in the Chrome trace format, in microseconds since the trace was made.
  std::string json() const;

  /// Writes json() atomically; throws Error.
  void write(const std::filesystem::path& file) const;

 private:
  friend class Span;
  struct Open {
    Label label;
    Clock::time_point start;
  };
  struct Event {
    Clock::time_point start;
    Clock::time_point end;
    std::uint64_t first_row;
    Label label;
  };
  struct Buffer {
    mutable std::mutex mutex;  ///< only ever contended while json() reads
    std::string name;
    std::deque<Event> events;
    std::size_t dropped = 0;
    std::optional<Open> open;  ///< the innermost span
  };

  Buffer& own_buffer();
  /// Makes a span the calling thread's innermost one; returns what was.
  std::optional<Open> exchange_open(std::optional<Open> open);
  void append_events(const Buffer& buffer, std::size_t thread,
                     const std::vector<std::string>& heads, std::string& out) const;

  const std::string process_name_;
  const std::size_t spans_per_thread_;
  const std::uint64_t id_;  ///< never reused, unlike an address
  const Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::string>> labels_;
  std::map<std::pair<std::string, std::string>, Label> label_index_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::map<std::thread::id, Buffer*> buffer_of_thread_;
};

/// Measures the time from its construction to end() or its destruction, and records it where there
/// is a trace. Spans of a thread nest.
class Span {
 public:
  Span(Trace* trace, Trace::Label label, std::uint64_t first_row = Trace::no_row)
      : trace_(trace), label_(label), first_row_(first_row) {
    if (trace_) around_ = trace_->exchange_open(Trace::Open{label_, start_});
  }
  ~Span() {
    if (trace_) end();
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  /// Ends the span; returns how long it took. At most once.
  Trace::Clock::duration end() {
    const auto now = Trace::Clock::now();
    if (Trace* const trace = std::exchange(trace_, nullptr)) {
      trace->exchange_open(around_);
      trace->record(label_, first_row_, start_, now);
    }
    return now - start_;
  }

 private:
  Trace* trace_;
  Trace::Label label_;
  std::uint64_t first_row_;
  Trace::Clock::time_point start_ = Trace::Clock::now();
  std::optional<Trace::Open> around_;
};

}  // namespace semblance
