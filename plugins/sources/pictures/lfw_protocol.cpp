// SPDX-License-Identifier: MIT
#include "pictures/lfw_protocol.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include "files/line_reader.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

std::vector<std::string> fields(std::string_view line) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    if (end > at) all.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// The largest protocol file; those of LFW have less than 1 MiB.
constexpr std::uint64_t largest_list = std::uint64_t{64} << 20;

/// An integer from 1 to a million.
std::optional<std::size_t> count(const std::string& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > 1'000'000) return std::nullopt;
  return value;
}

[[noreturn]] void bad_line(const LineReader& lines, std::string_view line,
                           const std::string& wanted) {
  throw DataError(lines.path(), lines.place(),
                  "reads " + in_quotes(line) + ", but " + wanted +
                      " was expected; download the file of the LFW protocol again");
}

[[noreturn]] void ends_early(const LineReader& lines, const std::string& wanted) {
  throw DataError(lines.path(), "after line " + std::to_string(lines.number()),
                  "the file ends, but " + wanted +
                      " was expected; download the file of the LFW protocol again");
}

std::vector<std::string> next_fields(LineReader& lines, std::string_view& line,
                                     const std::string& wanted) {
  if (!lines.next(line)) ends_early(lines, wanted);
  return fields(line);
}

void expect_end(LineReader& lines) {
  std::string_view line;
  while (lines.next(line))
    if (!fields(line).empty()) bad_line(lines, line, "the end of the file");
}

void remember(PeopleCounts& people, const std::string& name, std::size_t number) {
  auto& largest = people[name];
  largest = std::max(largest, number);
}

/// Reads the line of a pair of images, of one person or two.
void read_pair(LineReader& lines, bool same, PeopleCounts& people) {
  const std::string wanted = same ? "'NAME I J'" : "'NAME I OTHER J'";
  std::string_view line;
  const auto f = next_fields(lines, line, wanted);
  if (f.size() != (same ? 3u : 4u)) bad_line(lines, line, wanted);
  const auto first = count(f[1]), second = count(f.back());
  if (!first || !second) bad_line(lines, line, wanted);
  remember(people, f[0], *first);
  remember(people, same ? f[0] : f[2], *second);
}

}  // namespace

PeopleCounts read_people(const std::string& file) {
  LineReader lines(file, largest_list);
  std::string_view line;
  const auto head = next_fields(lines, line, "the number of people");
  const auto size = head.size() == 1 ? count(head[0]) : std::nullopt;
  if (!size) bad_line(lines, line, "the number of people");
  PeopleCounts people;
  for (std::size_t i = 0; i < *size; ++i) {
    const auto f = next_fields(lines, line, "'NAME IMAGES'");
    const auto images = f.size() == 2 ? count(f[1]) : std::nullopt;
    if (!images) bad_line(lines, line, "'NAME IMAGES'");
    if (!people.emplace(f[0], *images).second) bad_line(lines, line, "each person once");
  }
  expect_end(lines);
  return people;
}

std::vector<PeopleCounts> read_pair_people(const std::string& file) {
  LineReader lines(file, largest_list);
  std::string_view line;
  const std::string wanted = "the numbers of folds and pairs";
  const auto head = next_fields(lines, line, wanted);
  const auto folds = head.size() == 2 ? count(head[0]) : std::nullopt;
  const auto pairs = head.size() == 2 ? count(head[1]) : std::nullopt;
  if (!folds || !pairs) bad_line(lines, line, wanted);
  std::vector<PeopleCounts> all;
  for (std::size_t fold = 0; fold < *folds; ++fold) {
    all.emplace_back();
    for (std::size_t p = 0; p < 2 * *pairs; ++p) read_pair(lines, p < *pairs, all.back());
  }
  expect_end(lines);
  return all;
}

std::optional<FaceName> known_face_name(const std::string& picture) {
  const auto file = picture.rfind('/');
  const auto bar = picture.rfind('_'), dot = picture.rfind('.');
  if (file == picture.npos || bar == picture.npos || dot == picture.npos || file > bar || bar > dot)
    return std::nullopt;
  const auto folder = picture.substr(0, file);
  const std::string person = folder.substr(folder.rfind('/') + 1);  // npos + 1 is 0
  const auto number = count(picture.substr(bar + 1, dot - bar - 1));
  if (!is_utf8(person) || !number || person != picture.substr(file + 1, bar - file - 1))
    return std::nullopt;
  return FaceName{person, *number};
}

FaceName face_name(const std::string& path, const std::string& picture) {
  const std::size_t slash = picture.rfind('/');
  if (slash != picture.npos && !is_utf8(picture.substr(0, slash)))
    throw DataError(path, printable(picture), "its name is not UTF-8 text; rename it");
  if (const auto name = known_face_name(picture)) return *name;
  throw DataError(path, picture,
                  "is not named like the images of LFW, NAME/NAME_0001.jpg; remove or rename it");
}

PeoplePictures people_pictures(const std::string& path, std::span<const std::string> names) {
  std::map<std::string, std::map<std::size_t, std::size_t>> numbered;
  for (std::size_t p = 0; p < names.size(); ++p) {
    const FaceName face = face_name(path, names[p]);
    if (!numbered[face.person].emplace(face.number, p).second)
      throw DataError(path, names[p], "appears twice; download the archive again");
  }
  PeoplePictures people;
  for (const auto& [person, pictures] : numbered) {
    auto& own = people[person];
    for (const auto& [number, picture] : pictures) {
      if (number != own.size() + 1)
        throw DataError(path, person,
                        "its picture " + std::to_string(own.size() + 1) + " is missing, but " +
                            std::to_string(number) + " exists; download the archive again");
      own.push_back(picture);
    }
  }
  return people;
}

std::vector<FaceRow> all_faces(std::span<const std::string> names) {
  struct Named {
    bool unknown;
    FaceName face;
    std::size_t picture;
    bool operator<(const Named& other) const {
      return std::tie(unknown, face.person, face.number, picture) <
             std::tie(other.unknown, other.face.person, other.face.number, other.picture);
    }
  };
  std::vector<Named> all;
  for (std::size_t p = 0; p < names.size(); ++p) {
    const auto face = known_face_name(names[p]);
    all.push_back({!face, face.value_or(FaceName{}), p});
  }
  std::sort(all.begin(), all.end());
  std::vector<FaceRow> rows;
  for (const Named& named : all) rows.push_back({named.face.person, named.picture});
  return rows;
}

std::vector<FaceRow> rows_of(const PeoplePictures& pictures, std::span<const std::string> people,
                             std::size_t most) {
  std::vector<FaceRow> rows;
  for (const auto& person : people) {
    const auto& own = pictures.at(person);
    const std::size_t count = most ? std::min(most, own.size()) : own.size();
    for (std::size_t k = 0; k < count; ++k) rows.push_back({person, own[k]});
  }
  return rows;
}

}  // namespace semblance::sources
