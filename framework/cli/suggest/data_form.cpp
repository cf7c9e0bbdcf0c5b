// SPDX-License-Identifier: MIT
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/suggest/suggest.hpp"
#include "cli/verb.hpp"

namespace semblance::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t looked_at = std::size_t{64} << 10;

constexpr std::string_view array_magic = "\x93NUMPY";

constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n";

[[noreturn]] void refuse(const fs::path& data, const std::string& what) {
  throw UsageError(
      "'" + data.string() + "' " + what +
      "; use a text table, Weka's .arff, LIBSVM's sparse text, a NumPy array (.npy), an HDF5 file, "
      "series (.ts or NAME_TRAIN.tsv), FASTA, a table of labels and texts, graphs (JSON lines, or "
      "files of TUDataset), molecules (a table with a column of SMILES, or SDF), or a folder or "
      "archive of pictures with one sub-folder per class");
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_picture(const fs::path& file) {
  constexpr std::array known = {".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".pnm"};
  return std::ranges::count(known, lower(file.extension().string())) > 0;
}

bool has_pictures(const fs::path& folder) {
  std::error_code problem;
  for (fs::recursive_directory_iterator i(folder, problem), end; !problem && i != end;
       i.increment(problem))
    if (is_picture(i->path())) return true;
  return false;
}

/// The file NAME_graph_indicator.txt of TUDataset.
bool is_graph_indicator(const std::string& file) { return file.ends_with("_graph_indicator.txt"); }

bool has_graph_files(const fs::path& folder) {
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(folder, problem))
    if (is_graph_indicator(item.path().filename().string())) return true;
  return false;
}

/// Whether one of the first files of an archive is of TUDataset.
bool is_archive_of_graphs(const fs::path& file) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_all(reader.get());
  archive_entry* entry = nullptr;
  constexpr int most = 100;
  if (archive_read_open_filename(reader.get(), file.c_str(), looked_at) != ARCHIVE_OK) return false;
  for (int i = 0; i < most && archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK; ++i)
    if (const char* name = archive_entry_pathname(entry); name && is_graph_indicator(name))
      return true;
  return false;
}

/// The first bytes of a file, decompressed if necessary.
std::string first_bytes(const fs::path& file) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_raw(reader.get());
  archive_read_support_format_empty(reader.get());
  archive_entry* entry = nullptr;
  if (archive_read_open_filename(reader.get(), file.c_str(), looked_at) != ARCHIVE_OK)
    throw UsageError("'" + file.string() +
                     "' cannot be read: " + archive_error_string(reader.get()));
  if (archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK) return "";
  std::string bytes(looked_at, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const auto count = archive_read_data(reader.get(), bytes.data() + size, bytes.size() - size);
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

bool is_spreadsheet(const fs::path& file) {
  constexpr std::array known = {".xlsx", ".xls", ".ods"};
  return std::ranges::count(known, lower(file.extension().string())) > 0;
}

bool is_archive(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.substr(0, 262).ends_with("ustar");
}

/// The form according to the array's header: {'descr': '<f4', ..., 'shape': (60, 3), }
std::string array_form(const fs::path& data, std::string_view bytes) {
  const std::size_t shape = bytes.find("'shape'"), open = bytes.find('(', shape),
                    close = bytes.find(')', open);
  if (shape == bytes.npos || close == bytes.npos)
    refuse(data, "is a NumPy array with an unreadable header");
  std::size_t dimensions = 0;
  bool number = false;
  for (const char c : bytes.substr(open, close - open)) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    dimensions += digit && !number;
    number = digit;
  }
  if (dimensions == 2) return "array of rows";
  if (dimensions == 3 || dimensions == 4) return "array of pictures";
  refuse(data, "is an array of " + std::to_string(dimensions) +
                   (dimensions == 1 ? " dimension" : " dimensions") +
                   ", not of rows (2) or pictures (3 or 4)");
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return end != text.c_str() &&
         std::string_view(end).find_first_not_of(" \r") == std::string_view::npos;
}

/// 12:0.5, but not 12:30;7.
bool is_entry(std::string_view word) {
  const std::size_t digits = word.find_first_not_of("0123456789");
  return digits != word.npos && digits > 0 && word[digits] == ':' &&
         is_number(std::string(word.substr(digits + 1)));
}

/// The first line that is not a comment, without leading blanks and in lower case.
std::string first_line(const std::vector<std::string>& lines, char comment) {
  for (std::string line : lines) {
    line.erase(0, line.find_first_not_of(" \t"));
    if (!line.starts_with(comment)) return lower(line);
  }
  return "";
}

/// In Weka's .arff, the first line that is not a comment is @relation, or an attribute.
bool is_arff(const std::vector<std::string>& lines) {
  const std::string line = first_line(lines, '%');
  return line.starts_with("@relation") || line.starts_with("@attribute");
}

/// Series of several channels in .arff are relational attributes.
bool is_series_arff(const std::vector<std::string>& lines) {
  return std::ranges::any_of(lines, [](const std::string& line) {
    const std::string text = lower(line);
    return text.starts_with("@attribute") && text.find(" relational") != text.npos;
  });
}

/// In the format .ts, the first line that is not a comment is one of these.
bool is_ts(const std::vector<std::string>& lines) {
  constexpr std::array known = {"@problemname", "@timestamps",  "@missing",      "@univariate",
                                "@dimension",   "@equallength", "@serieslength", "@classlabel",
                                "@targetlabel", "@data"};
  const std::string line = first_line(lines, '#');
  return std::ranges::any_of(known, [&](const char* word) { return line.starts_with(word); });
}

/// The second fields of lines of two, separated by a tab; nothing if a line has others, or if one
/// of the fields is a number or half of them occur earlier, so that they look like a category.
std::vector<std::string> texts_of(const std::vector<std::string>& lines) {
  std::vector<std::string> texts;
  for (const std::string& line : lines) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos || line.find('\t', tab + 1) != line.npos) return {};
    texts.push_back(line.substr(tab + 1));
    if (is_number(texts.back())) return {};
  }
  const std::set<std::string> different(texts.begin(), texts.end());
  return 2 * different.size() > texts.size() ? texts : std::vector<std::string>();
}

/// Most texts with blanks are sentences.
std::string text_form(const std::vector<std::string>& texts) {
  const auto blanks = std::ranges::count_if(
      texts, [](const std::string& text) { return text.find(' ') != text.npos; });
  return 2 * static_cast<std::size_t>(blanks) > texts.size() ? "documents" : "strings";
}

/// Lines of `label index:value ...`, some of which may have no value.
bool is_sparse(const std::vector<std::string>& lines) {
  bool any = false;
  for (const std::string& line : lines) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    for (std::size_t place = 0; words >> word; ++place) {
      if (is_entry(word))
        any = true;
      else if (place > 0)
        return false;
    }
  }
  return any;
}

/// The complete lines, without blank ones.
std::vector<std::string> lines_of(const std::string& bytes) {
  std::istringstream text(bytes);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line) && (lines.empty() || !text.eof());)
    if (line.find_first_not_of(" \t\r") != line.npos) lines.push_back(line);
  return lines;
}

/// A graph is an object with these members, in any order.
bool is_graph(const std::string& line) {
  const auto object = nlohmann::json::parse(line, nullptr, false);
  return object.is_object() && object.contains("nodes") && object.contains("edges");
}

/// Records of SDF have a mol block, and end.
bool is_sdf(const std::vector<std::string>& lines) {
  return std::ranges::any_of(lines, [](const std::string& line) {
    return line.starts_with("M  END") || line.starts_with("$$$$");
  });
}

/// The file's name without the ending of a packed one.
std::string unpacked_name(const fs::path& file) {
  std::string name = file.filename().string();
  for (const char* packed : {".gz", ".xz", ".bz2", ".zst"})
    if (lower(name).ends_with(packed)) name.resize(name.rfind('.'));
  return name;
}

/// A table with a column of SMILES says so in its header. A file without one has a name that does.
bool is_smiles(const std::string& name, const std::string& header) {
  return name.ends_with(".smi") || name.ends_with(".smiles") ||
         lower(header).find("smiles") != header.npos;
}

/// A file of the UCR archive: numbers without names, in a file that is called as its files are.
bool is_series_table(const std::string& name, const std::string& line) {
  if (!name.ends_with("_TRAIN.tsv") && !name.ends_with("_TEST.tsv")) return false;
  std::istringstream fields(line);
  return std::all_of(std::istream_iterator<std::string>(fields), {}, is_number);
}

bool has_fields(const std::string& line) {
  const std::size_t start = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
  return line.substr(start, end + 1 - start).find_first_of(",;\t ") != line.npos;
}

/// The form that the content says.
std::string form_of(const fs::path& data) {
  std::error_code problem;
  if (fs::is_directory(data, problem)) {
    if (has_graph_files(data)) return "files of TUDataset";
    if (has_pictures(data)) return "pictures";
    refuse(data,
           "is a folder without pictures (.png, .jpg, .jpeg, .pgm, .ppm, .pnm) or a file "
           "NAME_TRAIN of series");
  }
  if (!fs::is_regular_file(data, problem)) refuse(data, "is not a file or folder");
  if (is_spreadsheet(data))
    throw UsageError("'" + data.string() + "' is a spreadsheet; save its table as CSV");
  const std::string bytes = first_bytes(data);
  if (is_archive(bytes)) return is_archive_of_graphs(data) ? "files of TUDataset" : "pictures";
  if (bytes.starts_with(array_magic)) return array_form(data, bytes);
  if (bytes.starts_with(hdf5_magic)) return "HDF5 file";
  if (bytes.find('\0') != bytes.npos) refuse(data, "is neither text nor any other known format");
  const auto lines = lines_of(bytes);
  if (lines.empty()) refuse(data, "is empty");
  const std::string name = unpacked_name(data);
  if (is_ts(lines) || is_series_table(name, lines.front())) return "series";
  if (is_arff(lines)) return is_series_arff(lines) ? "series" : "arff table";
  if (lines.front().starts_with('>')) return "strings";
  if (is_graph(lines.front())) return "graphs";
  if (is_sdf(lines) || is_smiles(lower(name), lines.front())) return "molecules";
  if (is_sparse(lines)) return "sparse text";
  if (!has_fields(lines.front()))
    refuse(data, "has a single field per line, but a row needs values and a label");
  const auto texts = texts_of(lines);
  return texts.empty() ? "text table" : text_form(texts);
}

/// The file of NAME_TRAIN and NAME_TEST to learn from.
std::optional<fs::path> training_file(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(folder, problem)) {
    const std::string name = item.path().filename().string();
    if (name.find("_TRAIN.") != name.npos) found.push_back(item.path());
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

bool is_array(const fs::path& data) {
  std::error_code problem;
  return fs::is_regular_file(data, problem) && first_bytes(data).starts_with(array_magic);
}

/// The form of that name.
std::string named_form(const fs::path& data, const std::string& as) {
  if (as == "series") return is_array(data) ? "array of series" : "series";
  if (as == "sets") return is_array(data) ? "array of sets" : "sets";
  if (as == "strings") return "strings";
  if (as == "documents") return "documents";
  if (as == "molecules") return "molecules";
  if (as == "table") return "text table";
  throw UsageError("--as is table, series, sets, strings, documents or molecules, got '" + as +
                   "'");
}

}  // namespace

KnownData known_data(const fs::path& data, const std::string& as) {
  if (const auto file = training_file(data))
    return {*file, named_form(*file, as.empty() ? "series" : as)};
  return {data, as.empty() ? form_of(data) : named_form(data, as)};
}

}  // namespace semblance::cli
