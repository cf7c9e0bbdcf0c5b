// SPDX-License-Identifier: MIT
#include "report/progress.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace doctest {
template <>
struct StringMaker<std::vector<std::string>> {
  static String convert(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n|" + line;
    return text.c_str();
  }
};
}  // namespace doctest

namespace semblance::progress_test {
namespace {

std::string drained(int descriptor) {
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  std::string text;
  char part[4096];
  for (ssize_t n; (n = ::read(descriptor, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  return text;
}

/// The terminal's content after `output`: emulates as much as the display uses.
std::vector<std::string> screen(const std::string& output, std::size_t columns) {
  std::vector<std::string> lines(1);
  std::size_t row = 0, column = 0;
  const auto next_row = [&] {
    if (++row == lines.size()) lines.emplace_back();
  };
  for (std::size_t i = 0; i < output.size(); ++i) {
    const char c = output[i];
    if (c == '\r') {
      column = 0;
    } else if (c == '\n') {
      next_row();
    } else if (c == '\x1b') {
      REQUIRE(output.at(i + 1) == '[');
      std::size_t end = i + 2, number = 0;
      for (; std::isdigit(static_cast<unsigned char>(output.at(end))); ++end)
        number = 10 * number + static_cast<std::size_t>(output[end] - '0');
      if (output[end] == 'A') {
        REQUIRE(number <= row);
        row -= number;
      } else {
        REQUIRE(output[end] == 'J');
        REQUIRE(column == 0);
        lines.resize(row + 1);
        lines[row].clear();
      }
      i = end;
    } else {
      if (column == columns) {
        next_row();
        column = 0;
      }
      lines[row].resize(column, ' ');
      lines[row] += c;
      ++column;
    }
  }
  return lines;
}

/// A display on a pseudo-terminal with a clock that the test sets.
struct Terminal {
  explicit Terminal(unsigned short columns, unsigned short rows = 24) : columns(columns) {
    ::setenv("TERM", "xterm", 1);  // a dumb terminal gets lines
    winsize size{rows, columns, 0, 0};
    REQUIRE(::openpty(&master, &slave, nullptr, nullptr, &size) == 0);
  }
  ~Terminal() {
    ::close(master);
    ::close(slave);
  }
  ProgressOptions options() {
    ProgressOptions chosen;
    chosen.descriptor = slave;
    chosen.unicode = false;
    chosen.ticking = false;
    chosen.clock = [this] { return now; };
    return chosen;
  }
  std::vector<std::string> shown() {
    output += drained(master);
    return screen(output, columns);
  }
  void resize(unsigned short new_columns) {
    columns = new_columns;
    winsize size{24, new_columns, 0, 0};
    REQUIRE(::ioctl(slave, TIOCSWINSZ, &size) == 0);
  }

  int master = -1, slave = -1;
  unsigned short columns;
  double now = 0;
  std::string output;
};

/// A display into a pipe, as when the output goes to a file.
struct Pipe {
  Pipe() { REQUIRE(::pipe(ends) == 0); }
  ~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ProgressOptions options(bool quiet = false) {
    ProgressOptions chosen;
    chosen.descriptor = ends[1];
    chosen.quiet = quiet;
    chosen.ticking = false;
    chosen.clock = [this] { return now; };
    return chosen;
  }
  int ends[2];
  double now = 0;
};

using Lines = std::vector<std::string>;

TEST_CASE("without a terminal there are plain lines, not more than one in five seconds between") {
  Pipe pipe;
  Progress progress({{"images"}, {"hog"}, {"svm"}}, pipe.options());
  progress.node_finished("images", true, 0);
  progress.node_started("hog");
  for (int second = 1; second <= 12; ++second) {
    pipe.now = second;
    progress.node_progress("hog", second, 20);
    progress.refresh();
  }
  progress.message("svm: 3 rows\tare the same\x1b[2J\r\n");
  progress.node_finished("hog", false, 19.5);
  progress.finish();
  CHECK(drained(pipe.ends[0]) ==
        "12 %, 1 of 3 nodes done, 5.0 s, at least 15 s left: hog 25 %\n"
        "25 %, 1 of 3 nodes done, 10 s, at least 10 s left: hog 50 %\n"
        "svm: 3 rows are the same?[2J?\n"
        "hog: done, 20 s\n");
}

TEST_CASE("a log names four running nodes and has fewer lines the longer it takes") {
  Pipe pipe;
  std::vector<Progress::Node> nodes;
  for (int i = 1; i <= 50; ++i) nodes.push_back({"n" + std::to_string(i)});
  Progress progress(nodes, pipe.options());
  for (int i = 1; i <= 10; ++i) progress.node_started("n" + std::to_string(i));
  // Too little progress to estimate the remaining time.
  progress.node_progress("n1", 1, 1e6);
  for (int second = 1; second <= 4000; ++second) {
    pipe.now = second;
    progress.refresh();
  }
  progress.finish();
  const std::string text = drained(pipe.ends[0]);
  CHECK(text.starts_with("0 %, 0 of 50 nodes done, 5.0 s: n1 0 %; n2; n3; n4; and 6 more\n"));
  const auto lines = std::ranges::count(text, '\n');
  CHECK(lines > 66);   // at least one per minute
  CHECK(lines < 160);  // instead of 800
}

TEST_CASE(
    "results are shown instead of their nodes, of a small graph also nodes that took a while") {
  for (const std::size_t count : {4U, 50U}) {
    Pipe pipe;
    std::vector<Progress::Node> nodes;
    for (std::size_t i = 0; i < count; ++i) nodes.push_back({"n" + std::to_string(i)});
    Progress progress(nodes, pipe.options());
    progress.node_finished("n0", false, 1.5);
    progress.node_finished("n1", true, 0);
    progress.node_finished("n3", false, 0.9);
    progress.node_finished("n2", false, 0.1, "variant 1: error 3 %\nvariant 2: error 3 %\x1b[2J");
    CHECK(drained(pipe.ends[0]) == std::string(count == 4 ? "n0: done, 1.5 s\n" : "") +
                                       "variant 1: error 3 %\nvariant 2: error 3 %?[2J\n");
  }
}

TEST_CASE("quiet mode shows messages alone") {
  Pipe pipe;
  Progress progress({{"hog"}}, pipe.options(true));
  progress.node_started("hog");
  pipe.now = 100;
  progress.refresh();
  progress.message("a warning");
  progress.node_finished("hog", false, 1);
  progress.finish();
  progress.message("another");
  CHECK(drained(pipe.ends[0]) == "a warning\nanother\n");
}

TEST_CASE("a terminal shows finished nodes, running ones and what is left") {
  Terminal terminal(70);
  Progress progress({{"images"}, {"hog"}, {"svm"}}, terminal.options());
  progress.node_finished("images", true, 0);
  progress.node_started("hog");
  terminal.now = 4;
  progress.node_progress("hog", 1, 4);
  progress.refresh();
  CHECK(terminal.shown() == Lines{"  hog     [========                        ]   25 %  4.0 s",
                                  "  12 %, 1 of 3 nodes done, 4.0 s, at least 12 s left", ""});

  terminal.now = 4.05;  // too soon for another frame
  progress.node_progress("hog", 3, 4);
  progress.refresh();
  CHECK(terminal.shown()[0] == "  hog     [========                        ]   25 %  4.0 s");

  progress.node_finished("hog", false, 4.05);
  CHECK(terminal.shown() == Lines{"  done    hog  4.0 s", "  50 %, 2 of 3 nodes done, 4.0 s", ""});
  progress.finish();
  CHECK(terminal.shown() == Lines{"  done    hog  4.0 s", ""});
}

TEST_CASE("messages go above the live lines and are not overwritten") {
  Terminal terminal(60);
  Progress progress({{"hog"}}, terminal.options());
  progress.node_started("hog");
  terminal.now = 1;
  progress.refresh();
  progress.message("first\nsecond, longer than the terminal is wide, so that it takes two rows");
  terminal.now = 2;
  progress.refresh();
  progress.message("third");
  progress.finish();
  CHECK(terminal.shown() == Lines{"first",
                                  "second, longer than the terminal is wide, so that it takes t",
                                  "wo rows", "third", ""});
}

TEST_CASE("lines fit a narrow terminal, and one that was made narrower is cleared as well") {
  Terminal terminal(40);
  Progress progress({{"a_node_with_a_rather_long_name"}, {"b"}}, terminal.options());
  progress.node_started("a_node_with_a_rather_long_name");
  terminal.now = 100;
  progress.node_progress("a_node_with_a_rather_long_name", 1, 2);
  progress.refresh();
  CHECK(terminal.shown() == Lines{"  a_node_with_a_r   50 %  1 min 40 s",
                                  "  25 %, 1 min 40 s, at least 1 min 40 s", ""});

  // shown() lays out all output again for the new width, as a terminal does: the summary wraps.
  terminal.resize(35);
  terminal.now = 101;
  progress.refresh();
  CHECK(terminal.shown() ==
        Lines{"  a_node_wit   50 %  1 min 41 s", "  25 %, 1 min 41 s, at least 1 min", ""});
}

TEST_CASE("a narrow terminal shows the time left, and no numbers of nodes") {
  Terminal terminal(40);
  Progress progress({{"a"}, {"b"}}, terminal.options());
  progress.node_started("a");
  terminal.now = 4;
  progress.node_progress("a", 1, 2);
  progress.refresh();
  CHECK(terminal.shown().at(1) == "  25 %, 4.0 s, at least 4.0 s left");
}

TEST_CASE("more running nodes than rows are summed up") {
  Terminal terminal(50, 5);
  Progress progress({}, terminal.options());
  for (const char* name : {"a", "b", "c", "d", "e"}) progress.node_started(name);
  terminal.now = 1;
  progress.refresh();
  CHECK(terminal.shown() ==
        Lines{"  a  1.0 s", "  b  1.0 s", "  and 3 more", "  0 %, 0 of 5 nodes done, 1.0 s", ""});
}

TEST_CASE("nodes are called in words, and what is left follows from nodes of their kind") {
  Pipe pipe;
  Progress progress({{"svm[1]", "svm, C = 1"}, {"svm[10]", "svm, C = 10"}, {"svm[100]"}},
                    pipe.options());
  progress.node_started("svm[1]");
  pipe.now = 8;
  progress.node_finished("svm[1]", false, 8);
  progress.node_started("svm[10]");
  pipe.now = 14;
  progress.node_progress("svm[10]", 1, 2);
  progress.refresh();
  CHECK(drained(pipe.ends[0]) ==
        "svm, C = 1: done, 8.0 s\n"
        "50 %, 1 of 3 nodes done, 14 s, about 14 s left: svm, C = 10 50 %\n");
}

TEST_CASE("the percentage and the time left weigh nodes by what their like took") {
  Pipe pipe;
  std::vector<Progress::Node> nodes;
  for (const char* C : {"1", "100"})
    for (int fold = 1; fold <= 10; ++fold) {
      const std::string of = std::string("[") + C + ",fold=" + std::to_string(fold) + "]";
      for (const char* map : {"a", "b", "c", "d", "e", "f", "g"}) nodes.push_back({map + of});
      nodes.push_back({"svm" + of});
    }
  Progress progress(nodes, pipe.options());
  const auto run = [&](std::size_t n, double seconds) {
    progress.node_started(nodes[n].name);
    pipe.now += seconds;
    progress.node_finished(nodes[n].name, false, seconds);
  };
  const auto shown = [&] {
    pipe.now += 100;                 // so that a line is due
    progress.node_started("pause");  // of a kind that is not known
    progress.refresh();
    progress.node_finished("pause", false, 0);
    const std::string line = drained(pipe.ends[0]);
    return line.substr(0, line.rfind(':'));
  };
  // A tenth of the nodes, and 42 of 420 s.
  for (std::size_t n = 0; n < 16; ++n) run(n, n % 8 == 7 ? 20 : 1. / 7);
  CHECK(shown() == "9 %, 16 of 161 nodes done, 2 min 22 s, at least 6 min 18 s left");
  // All of C = 1, and a fold of C = 100, which takes longer: so do its other nine.
  for (std::size_t n = 16; n < 88; ++n) run(n, n % 8 != 7 ? 1. / 7 : n < 80 ? 20 : 60);
  CHECK(shown() == "32 %, 88 of 161 nodes done, 7 min 51 s, at least 9 min 09 s left");
}

TEST_CASE("nodes that no thread works on are not shown, and have no part of the time") {
  Pipe pipe;
  ProgressOptions options = pipe.options();
  std::vector<std::string> worked_on = {"b", "unknown"};
  options.worked_on = [&] { return worked_on; };
  Progress progress({{"a"}, {"b"}, {"b[2]"}, {"b[3]"}}, options);
  for (const char* name : {"a", "b", "b[2]"}) progress.node_started(name);
  progress.refresh();
  pipe.now = 5;
  progress.node_progress("b", 1, 2);
  progress.refresh();
  // 5 s for the rest of b, 20 s for the others of its kind, and nothing is known about a.
  CHECK(drained(pipe.ends[0]) == "12 %, 0 of 4 nodes done, 5.0 s, at least 25 s left: b 50 %\n");
  worked_on = {"a"};
  pipe.now = 10.5;
  progress.refresh();
  CHECK(drained(pipe.ends[0]).ends_with(": a\n"));
}

TEST_CASE("a notice is shown once, above the live lines") {
  Terminal terminal(60);
  ProgressOptions options = terminal.options();
  options.ticking = true;
  options.clock = nullptr;
  options.notice = [] { return std::string("stopping"); };
  CHECK_FALSE(Progress::is_live());
  {
    Progress progress({{"n"}}, options);
    CHECK(Progress::is_live());
    progress.node_started("n");
    std::this_thread::sleep_for(std::chrono::milliseconds(450));
  }
  CHECK_FALSE(Progress::is_live());
  CHECK(terminal.shown() == Lines{"stopping", ""});
}

TEST_CASE("odd amounts of progress are taken as they can be") {
  Terminal terminal(60);
  Progress progress({{"n"}}, terminal.options());
  progress.node_started("n");
  for (const auto& [done, total] :
       {std::pair{0.0, 0.0}, {1.0, 0.0}, {-3.0, 2.0}, {std::nan(""), 1.0}, {5.0, 2.0}}) {
    terminal.now += 1;
    progress.node_progress("n", done, total);
    CHECK_NOTHROW(progress.refresh());
  }
  CHECK(terminal.shown()[0].find("100 %") != std::string::npos);
}

TEST_CASE("a display that ticks by itself ends at once and leaves the screen clear") {
  Terminal terminal(60);
  ProgressOptions options = terminal.options();
  options.ticking = true;
  options.clock = nullptr;
  {
    Progress progress({{"n"}}, options);
    progress.node_started("n");
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 1; i <= 200; ++i) progress.node_progress("n", i, 200);
        progress.message("from a thread");
      });
  }
  const Lines lines = terminal.shown();
  CHECK(lines == Lines{"from a thread", "from a thread", "from a thread", "from a thread", ""});
}

}  // namespace
}  // namespace semblance::progress_test
