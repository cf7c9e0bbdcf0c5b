// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "report/tables/comparison.hpp"

/// A table of results as text, which depends only on the table: no time, no folder, no locale.
namespace semblance {

/// One row per method with all its data, quoted as in RFC 4180: its name, one column per slot, one
/// column per block, then mean, deviation, standard_error, average_rank, difference, the raw and
/// corrected p-values, the remark that replaces a p, whether it is the baseline and the best (0 or
/// 1), and its errors. Numbers have all digits needed to distinguish them; missing values are
/// empty.
std::string table_csv(const ResultTable& table, const Comparison& comparison);

/// A table of GitHub's Markdown, the best in bold, and its notes. `columns` as in shown_layout().
std::string table_markdown(const ResultTable& table, const Comparison& comparison,
                           const std::vector<std::string>& columns = {});

/// A `tabular` for the package booktabs, the best in bold; the notes are comments.
std::string table_latex(const ResultTable& table, const Comparison& comparison,
                        const std::vector<std::string>& columns = {});

/// A table for the terminal: aligned, the best with a '*'. Where it would be wider than `width`
/// characters, names are shortened, but never below 12: in their middle, or so that different ones
/// stay different. The effects of the slots follow in a table of their own (slot_effects()).
std::string table_plain(const ResultTable& table, const Comparison& comparison,
                        std::size_t width = std::string::npos,
                        const std::vector<std::string>& columns = {});

/// Writes FOLDER/table.csv, table.md and table.tex and, where slots have effects, effects.csv, each
/// atomically, after making the folder; returns the files. The CSV files have all columns. Throws
/// Error.
std::vector<std::filesystem::path> write_tables(const ResultTable& table,
                                                const Comparison& comparison,
                                                const std::filesystem::path& folder,
                                                const std::vector<std::string>& columns = {});

}  // namespace semblance
