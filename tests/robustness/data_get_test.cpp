// SPDX-License-Identifier: MIT
// `data get` against a server on loopback that fails in every way servers do.
#include <doctest/doctest.h>
#include <openssl/evp.h>

#include <fstream>
#include <random>

#include "killing.hpp"
#include "web_server.hpp"

namespace data_get_test {

using namespace semblance::testing;
namespace fs = std::filesystem;

namespace {

std::string sha256(const std::string& content) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  EVP_Digest(content.data(), content.size(), digest, &length, EVP_sha256(), nullptr);
  std::string text;
  char digits[3];
  for (unsigned i = 0; i < length; ++i) {
    std::snprintf(digits, sizeof digits, "%02x", digest[i]);
    text += digits;
  }
  return text;
}

/// Half a megabyte that cannot be compressed, as 2000 lines.
std::string random_content() {
  std::mt19937 random(1);
  std::string content;
  for (int line = 0; line < 2000; ++line) {
    for (int i = 0; i < 255; ++i) content += static_cast<char>('0' + random() % 75);
    content += '\n';
  }
  return content;
}

struct Download {
  Download() : content(random_content()), server(served(), work.path / "requests") {}

  /// served/f.txt with the content.
  fs::path served() {
    work.file("served/f.txt", content);
    return work.path / "served";
  }
  /// The catalogue: the set `s` of the one file, under this mode of the server.
  void catalogue(const std::string& mode, const std::string& more = "",
                 const std::string& checksum = "") {
    work.file("sets.yaml",
              "data_sets:\n  s:\n    summary: a set\n    licence: free to try\n"
              "    cite: nobody\n    page: nowhere\n    downloads:\n      - url: " +
                  server.url(mode, "f.txt") +
                  "\n        sha256: " + (checksum.empty() ? sha256(content) : checksum) + "\n" +
                  more + "        gives: {s/f.txt: {lines: 2000}}\n");
  }
  std::string command(const std::string& more = "") const {
    return "data get s --data data --catalogue sets.yaml " + more;
  }
  Workplace::Outcome get(const std::string& more = "") const {
    return work.shell("no_proxy='*' $program " + command(more));
  }
  std::string got() const { return work.content("data/s/f.txt"); }
  bool nothing_there() const { return !fs::exists(work.path / "data/s"); }
  bool nothing_left() const {
    const fs::path downloads = work.path / "data/.downloads";
    for (const auto& item : fs::recursive_directory_iterator(downloads))
      if (item.path().extension() != ".lock") return false;
    return true;
  }

  Workplace work;
  std::string content;
  WebServer server;
};

}  // namespace

TEST_CASE("a data set is fetched, verified and put in its place; once") {
  Download d;
  for (const char* mode : {"ok", "redirect", "busy"}) {
    d.catalogue(mode, "        bytes: 512000\n");
    fs::remove_all(d.work.path / "data");
    const auto outcome = d.get();
    INFO(mode << "\n" << outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(contains(outcome, "licence: free to try"));
    CHECK(d.got() == d.content);
    CHECK(d.nothing_left());
  }
  const std::string before = d.server.requests();
  const auto again = d.get();
  CHECK(again.exit == 0);
  CHECK(contains(again, "s was already there"));
  CHECK(d.server.requests() == before);
  const auto list = d.work("data list --json --data data --catalogue sets.yaml");
  for (const auto& set : nlohmann::json::parse(list.output))
    CHECK(set.at("there") == (set.at("name") == "s" ? "there" : "missing"));
}

TEST_CASE("a connection that is cut goes on where it was, also when the server is difficult") {
  Download d;
  for (const char* mode : {"cut", "drip", "norange", "otherpart", "lying"}) {
    d.catalogue(mode);
    fs::remove_all(d.work.path / "data");
    const auto outcome = d.get();
    INFO(mode << "\n" << outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(d.got() == d.content);
    CHECK(d.nothing_left());
  }
  const std::string requests = d.server.requests();
  CHECK(requests.find("/cut/f.txt - 200\n/cut/f.txt bytes=256000- 206\n") != std::string::npos);
  CHECK(requests.find("/norange/f.txt bytes=256000- 200\n") != std::string::npos);
}

TEST_CASE("what cannot be right is refused, and nothing is left in the data folder") {
  Download d;
  struct Case {
    const char* mode;
    const char* more;
    const char* message;
  };
  const Case cases[] = {
      {"wrong", "", "it is damaged, or not the catalogued file, and was removed"},
      {"wrong", "        bytes: 512000\n", "the catalogue says"},
      {"short", "        bytes: 512000\n", "has 256000 bytes, not 512000"},
      {"short", "", "the catalogue says"},
      {"long", "        bytes: 512000\n", "has more than 512000 bytes there"},
      {"long", "        at_most: 512500\n", "has more than 512500 bytes there"},
      {"missing", "", "error: 404"},
      {"forbidden", "", "error: 403"},
      {"loop", "", "redirect"},
      {"tofile", "", "\"file\""},
      {"dead", "", "try the same command again later"},
      {"half", "", "try the same command again later"},
  };
  for (const auto& c : cases) {
    d.catalogue(c.mode, c.more);
    fs::remove_all(d.work.path / "data");
    const auto outcome = d.get();
    INFO(c.mode << " " << c.more << "\n" << outcome.output);
    CHECK(outcome.exit == 1);
    CHECK(contains(outcome, c.message));
    CHECK(d.nothing_there());
    // And with a good server the same command ends well.
    d.catalogue("ok");
    CHECK(d.get().exit == 0);
    CHECK(d.got() == d.content);
  }
}

TEST_CASE("what no checksum is known of is not taken unasked, and not fetched twice") {
  Download d;
  d.catalogue("ok", "", "unknown");
  const auto refused = d.get();
  INFO(refused.output);
  CHECK(refused.exit == 1);
  CHECK(contains(refused, sha256(d.content)));
  CHECK(contains(refused, "semblance data get s --unverified"));
  CHECK(d.nothing_there());
  const std::string before = d.server.requests();
  const auto taken = d.get("--unverified");
  CHECK(taken.exit == 0);
  CHECK(contains(taken, "NOT VERIFIED"));
  CHECK(d.server.requests() == before);
  CHECK(d.got() == d.content);
  // Known properties are still checked.
  fs::remove_all(d.work.path / "data");
  d.content += "one more\n";
  d.served();
  const auto wrong = d.get("--unverified");
  CHECK(wrong.exit == 1);
  CHECK(contains(wrong, "has 2001 lines, not 2000"));
  CHECK(d.nothing_there());
}

TEST_CASE("a file without a checksum comes from one transfer") {
  Download d;
  d.catalogue("cut", "", "unknown");
  const auto outcome = d.get("--unverified");
  INFO(outcome.output);
  CHECK(outcome.exit == 0);
  CHECK(d.got() == d.content);
  CHECK(d.server.requests() == "/cut/f.txt - 200\n/cut/f.txt - 200\n");
}

TEST_CASE("without a network it says what to do, and that works") {
  Download d;
  d.catalogue("ok");
  std::string text = d.work.content("sets.yaml");
  const std::string url = d.server.url("ok", "f.txt");
  const std::string closed = "http://127.0.0.1:1/f.txt";
  text.replace(text.find(url), url.size(), closed);
  d.work.file("sets.yaml", text);
  const auto outcome = d.get();
  INFO(outcome.output);
  CHECK(outcome.exit == 1);
  CHECK(contains(outcome, "f.txt\n    from " + closed + "\n    sha256 " + sha256(d.content)));
  CHECK(contains(outcome, "semblance data get s --mirror mirror"));
  d.work.file("mirror/f.txt", "something else");
  const auto wrong = d.get("--mirror mirror");
  CHECK(wrong.exit == 1);
  CHECK(contains(wrong, "the catalogue says"));
  CHECK(d.work.content("mirror/f.txt") == "something else");
  CHECK(d.get("--mirror nowhere").exit == 1);
  d.work.file("mirror/f.txt", d.content);
  CHECK(d.get("--mirror mirror").exit == 0);
  CHECK(d.got() == d.content);
  CHECK(d.work.content("mirror/f.txt") == d.content);
  SUBCASE("another server will do as well") {
    fs::remove_all(d.work.path / "data");
    CHECK(d.get("--mirror " + d.server.url("ok", "")).exit == 0);
    CHECK(d.got() == d.content);
  }
}

TEST_CASE("killed at random moments, it goes on and ends with the right file") {
  Download d;
  d.catalogue("drip");
  const int kills = repetitions("SEMBLANCE_TEST_KILLS", 8);
  std::mt19937 random(5);
  int met = 0;
  for (int kill = 0; kill < kills; ++kill) {
    fs::remove_all(d.work.path / "data");
    for (int again = 0; again < 2; ++again)
      met += kill_at_random(d.work, d.command(), random, 900'000);
    CHECK((d.nothing_there() || d.got() == d.content));
    const auto outcome = d.get();
    INFO(outcome.output);
    REQUIRE(outcome.exit == 0);
    CHECK(d.got() == d.content);
    CHECK(d.nothing_left());
  }
  MESSAGE(met << " of " << 2 * kills << " kills while it ran");
}

TEST_CASE("two at once do not get in each other's way") {
  Download d;
  d.catalogue("cut");
  const pid_t first = d.work.start(d.command(), "log0");
  const pid_t second = d.work.start(d.command(), "log1");
  CHECK_MESSAGE(wait_for(first) == 0, d.work.content("log0"));
  CHECK_MESSAGE(wait_for(second) == 0, d.work.content("log1"));
  CHECK(d.got() == d.content);
  CHECK(d.nothing_left());
}

TEST_CASE("an archive is unpacked to its places, a full disk is reported") {
  Download d;
  d.work.file("in/top/a.txt", "@head\n1\n2\n");
  REQUIRE(d.work.shell("tar czf served/a.tgz -C in top").exit == 0);
  d.work.file("sets.yaml",
              "data_sets:\n  s:\n    summary: a set\n    licence: free\n    cite: c\n"
              "    page: p\n    downloads:\n      - url: " +
                  d.server.url("cut", "a.tgz") +
                  "\n        sha256: " + sha256(d.work.content("served/a.tgz")) +
                  "\n        gives: {s/f.txt: {member: a.txt, without_lines: '@', "
                  "sha256: " +
                  sha256("1\n2\n") + "}}\n");
  CHECK(d.get().exit == 0);
  CHECK(d.got() == "1\n2\n");
  fs::remove_all(d.work.path / "data");
  d.catalogue("ok");
  const auto full = d.work.shell("ulimit -f 400\nno_proxy='*' $program " + d.command());
  INFO(full.output);
  CHECK(full.exit == 1);
  CHECK(contains(full, "f.txt.part: cannot write: File too large"));
  CHECK(d.get().exit == 0);
  CHECK(d.got() == d.content);
}

TEST_CASE("wrong usage of data exits with 2") {
  const Workplace work;
  for (const char* arguments : {"data", "data fetch x", "data get", "data list x", "data get nist",
                                "data get mnist --json", "data show nothing"})
    CHECK_MESSAGE(work(arguments).exit == 2, arguments);
  CHECK(work("data get nist").output.find("did you mean 'mnist'?") != std::string::npos);
  CHECK(work("data show cifar10").output.find("cifar-10-binary.tar.gz") != std::string::npos);
  CHECK(work("data list --catalogue nowhere.yaml").exit == 1);
}

}  // namespace data_get_test
