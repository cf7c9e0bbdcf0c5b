// SPDX-License-Identifier: MIT
// In the program that the launcher builds first: the verbs that it does without. The launcher
// builds the whole program before it passes one of them on.
#include "cli/verb.hpp"

namespace semblance::cli {
namespace {

int refuse(const char* verb) {
  throw UsageError("'" + std::string(verb) + "' is not part of a first build; run `./semblance " +
                   verb + "`, which builds the rest");
}

}  // namespace

int ablate_verb(const std::vector<std::string>&) { return refuse("ablate"); }
int study_verb(const std::vector<std::string>&) { return refuse("study"); }
int data_verb(const std::vector<std::string>&) { return refuse("data"); }
int doctor_verb(const std::vector<std::string>&) { return refuse("doctor"); }
int list_verb(const std::vector<std::string>&) { return refuse("list"); }
int describe_verb(const std::vector<std::string>&) { return refuse("describe"); }
int compare_verb(const std::vector<std::string>&) { return refuse("compare"); }
int board_verb(const std::vector<std::string>&) { return refuse("board"); }
int history_verb(const std::vector<std::string>&) { return refuse("history"); }
int suggest_verb(const std::vector<std::string>&) { return refuse("suggest"); }
int predict_verb(const std::vector<std::string>&) { return refuse("predict"); }
int explain_verb(const std::vector<std::string>&) { return refuse("explain"); }
int export_verb(const std::vector<std::string>&) { return refuse("export"); }
int serve_verb(const std::vector<std::string>&) { return refuse("serve"); }
int import_verb(const std::vector<std::string>&) { return refuse("import"); }
int new_plugin_verb(const std::vector<std::string>&) { return refuse("new-plugin"); }
int check_plugin_verb(const std::vector<std::string>&) { return refuse("check-plugin"); }

}  // namespace semblance::cli
