// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "report/tables/comparison.hpp"

/// The tests of a comparison in words.
namespace semblance {

/// One sentence each on how the blocks are related and which tests were made, for the tables and
/// the page; empty if there was no test.
std::vector<std::string> test_notes(const ResultTable& table, const Comparison& comparison);

/// One sentence each on what a table shows: what is averaged, the tests, what was not measured.
std::vector<std::string> table_notes(const ResultTable& table, const Comparison& comparison);

/// "NAME: BLOCK: error; BLOCK: error" of each method with errors, each error once.
std::vector<std::string> failures_in_short(const ResultTable& table);

/// The name of the t-test: "t-test", "corrected t-test", "t-test over rows and blocks".
const char* t_test_name(const Comparison& comparison);

/// The text of a test in a table: the corrected p, or the words that replace it.
std::string test_text(const PairedTest& test);

/// Whether any method has this test, or words that replace it.
bool has_test(const Comparison& comparison, PairedTest Standing::*kind);

/// The remarks of all tests of a method: "Wilcoxon: too few blocks".
std::string test_remarks(const Standing& standing);

}  // namespace semblance
