// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cctype>

#include "cli/models/applied_model.hpp"
#include "cli/pipeline_options.hpp"
#include "export/c_program.hpp"
#include "export/c_text.hpp"
#include "export/library_programs.hpp"
#include "export/machine.hpp"
#include "export/model_text.hpp"
#include "export/onnx_door.hpp"
#include "export/proof.hpp"
#include "report/metrics.hpp"
#include "runtime/results/predict.hpp"
#include "runtime/services/crash_report.hpp"
#include "runtime/session/session.hpp"
#include "support/files/atomic_file.hpp"
#include "support/json_text.hpp"
#include "support/number_text.hpp"

namespace semblance::cli {
namespace {

namespace fs = std::filesystem;

struct Opened;
struct Written;
Written write_as_c(Opened& opened);
Written write_as_onnx(Opened& opened);
Written write_as_libsvm(Opened& opened);
Written write_as_liblinear(Opened& opened);

/// An export format for machines.
struct Format {
  const char* name;
  const char* ending;  ///< of the file
  Written (*write)(Opened& opened);
};

constexpr Format formats[] = {{"c", ".c", write_as_c},
                              {"onnx", ".onnx", write_as_onnx},
                              {"libsvm", ".libsvm", write_as_libsvm},
                              {"liblinear", ".liblinear", write_as_liblinear}};

const Format& format_named(const options::variables_map& values) {
  const std::string given = option_text(values, "to");
  std::string known;
  for (const Format& format : formats) {
    if (given == format.name) return format;
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  throw UsageError(given.empty() ? "say what to write with --to, one of " + known
                                 : "--to must be one of " + known + "; got '" + given + "'");
}

/// The request of the command line.
struct Request {
  const Format* format = nullptr;
  fs::path out;
  std::string node, from, name;
  bool proved = true;
  double tolerance = default_tolerance;
};

/// Makes a text valid as a name in C, or of a file.
std::string plain_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  const bool letter = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front()));
  return letter ? name : "model_" + name;
}

Request request_of(const options::variables_map& values) {
  Request request;
  request.format = &format_named(values);
  request.out = option_text(values, "out");
  request.node = option_text(values, "node");
  request.from = option_text(values, "from");
  request.name = option_text(values, "name");
  request.proved = values.count("unproved") == 0;
  request.tolerance = values["tolerance"].as<double>();
  if (!(request.tolerance > 0 && request.tolerance < 1))
    throw UsageError(
        fmt::format("--tolerance must be between 0 and 1, got {:g}", request.tolerance));
  if (!request.proved && values.count("rows"))
    throw UsageError("--rows names rows for the proof that --unproved skips; remove one of them");
  return request;
}

void check_target(const fs::path& out, bool force) {
  std::error_code failure;
  if (fs::is_directory(out, failure))
    throw UsageError("'" + out.string() + "' is a folder; name a file with --out");
  if (fs::exists(out, failure) && !force)
    throw UsageError("'" + out.string() +
                     "' exists; name another file with --out, or replace it with --force");
  const fs::path folder = out.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, failure))
    throw UsageError("there is no folder '" + folder.string() +
                     "'; create it, or name another file with --out");
}

/// The exported file, for the user.
struct Written {
  Proof proof;
  bool proved = false;
  std::string facts;  ///< about the file
  nlohmann::ordered_json figures = nlohmann::ordered_json::object();
};

/// A session with the model's machine.
struct Opened {
  Session& session;
  const Request& request;
  std::size_t target = 0;
  std::size_t from = 0;
  ExportedMachine machine = {};

  Proof proved_by(const ExportedForm& form, const std::string& by) {
    Proof proof =
        prove(session.progress(), session.data(), machine, target, from, form, request.tolerance);
    proof.by = by;
    return proof;
  }
};

Written write_as_c(Opened& opened) {
  const Request& request = opened.request;
  const ExportedMachine& machine = opened.machine;
  Written written;
  std::string said = "NOT PROVED: it was not compared with the model.";
  if (request.proved) {
    const CSource draft = write_c(machine, request.name, "");
    const CProgram program(draft.text, request.name, machine.inputs, machine.outputs.size());
    written.proved = true;
    written.proof =
        opened.proved_by([&](MatrixView rows) { return program.scores(rows); }, program.compiler());
    said = "Compared with the model, compiled by " + program.compiler() + ": " +
           proof_text(written.proof) + ".";
  }
  const CSource source = write_c(machine, request.name, said);
  write_file_atomically(request.out, source.text);
  written.facts = fmt::format("{}_predict(), {} of constants, {} of stack", request.name,
                              bytes_text(static_cast<double>(source.constant_bytes)),
                              bytes_text(static_cast<double>(source.stack_bytes)));
  written.figures = {{"function", request.name + "_predict"},
                     {"constant_bytes", source.constant_bytes},
                     {"stack_bytes", source.stack_bytes}};
  return written;
}

Written write_as_onnx(Opened& opened) {
  const OnnxFunctions& onnx = onnx_functions();
  const std::string bytes = onnx.write(opened.machine);
  Written written;
  if (opened.request.proved) {
    const auto program = onnx.read(bytes);
    written.proved = true;
    written.proof = opened.proved_by([&](MatrixView rows) { return program->scores(rows); },
                                     "an evaluation of the file's operators");
  }
  write_file_atomically(opened.request.out, bytes);
  written.facts = fmt::format("input 'rows', {}, {}",
                              opened.machine.gives == PortType::scores
                                  ? "outputs 'label' and 'scores'"
                                  : fmt::format("output '{}'", output_name(opened.machine.gives)),
                              bytes_text(static_cast<double>(bytes.size())));
  written.figures = {{"bytes", bytes.size()}};
  return written;
}

/// The integers of the classes in LIBSVM's and LIBLINEAR's files; a regressor or a detector has
/// none. `own`: they are the classes' names. Throws Error if these files cannot hold what the
/// machine gives.
std::vector<int> labels_of(const Opened& opened, bool& own) {
  own = true;
  const PortType gives = opened.machine.gives;
  const bool detector =
      gives == PortType::novelty && opened.request.format->write == write_as_libsvm;
  if (gives == PortType::estimates || detector) return {};
  if (gives == PortType::scores) return integer_labels(opened.machine.outputs, own);
  throw Error("'" + opened.machine.node + "' gives " + name(gives) +
              ", and only classifiers and regressors are written as " +
              opened.request.format->name + "'s files; export it to c or onnx");
}

/// The names of the classes in a format whose labels are integers.
std::string labels_text(const ExportedMachine& machine, const std::vector<int>& labels, bool own) {
  if (own) return "";
  std::string text = "; its labels are ";
  for (std::size_t c = 0; c < labels.size(); ++c)
    text += fmt::format("{}{} for '{}'", c == 0 ? "" : ", ", labels[c], machine.outputs[c]);
  return text;
}

Written write_text(Opened& opened, const std::string& text, LibraryProgram& program,
                   const std::string& library) {
  Written written;
  if (opened.request.proved) {
    written.proved = true;
    written.proof =
        opened.proved_by([&](MatrixView rows) { return program.scores(rows); }, library);
  }
  write_file_atomically(opened.request.out, text);
  if (program.equal_votes > 0)
    fmt::print(stderr,
               "semblance: for {} row{} several classes tie for the most votes: LIBSVM takes the "
               "first of them, the model the one with the largest sum of decision values\n",
               program.equal_votes, program.equal_votes == 1 ? "" : "s");
  // Whatever the training data's began with: LIBSVM's programs say nothing about other rows.
  written.facts = bytes_text(static_cast<double>(text.size())) + ", indices from 1";
  written.figures = {{"bytes", text.size()}, {"equal_votes", program.equal_votes}};
  return written;
}

Written write_as_libsvm(Opened& opened) {
  bool own = false;
  const std::vector<int> labels = labels_of(opened, own);
  const SupportVectorMachine machine =
      libsvm_machine(opened.session.progress(), opened.target, opened.from);
  const std::string text = libsvm_text(machine, labels);
  const auto program = read_by_libsvm(text, labels, machine.scores);
  Written written = write_text(opened, text, *program, "LIBSVM");
  written.facts = fmt::format("{} support vectors, {}{}", machine.vectors(), written.facts,
                              labels_text(opened.machine, labels, own));
  return written;
}

Written write_as_liblinear(Opened& opened) {
  bool own = false;
  const std::vector<int> labels = labels_of(opened, own);
  const LiblinearMachine machine =
      liblinear_machine(opened.session.graph(), opened.machine, opened.target, opened.from);
  const std::string text = liblinear_text(machine, labels);
  const auto program = read_by_liblinear(text, labels);
  Written written = write_text(opened, text, *program, "LIBLINEAR");
  written.facts += labels_text(opened.machine, labels, own);
  return written;
}

nlohmann::ordered_json written_json(const Request& request, const Opened& opened,
                                    const Written& written) {
  nlohmann::ordered_json json = {
      {"file", request.out.string()},
      {"format", request.format->name},
      {"node", opened.machine.node},
      {"from", opened.machine.from},
      {"inputs", opened.machine.inputs},
      {opened.machine.gives == PortType::scores ? "classes" : "outputs", opened.machine.outputs},
      {"proved", written.proved}};
  json.update(written.figures);
  if (!written.proved) return json;
  json["rows"] = written.proof.rows;
  json["ties"] = written.proof.ties;
  json["largest_score"] = written.proof.scale;
  json["largest_difference"] = written.proof.difference;
  json["tolerance"] = written.proof.tolerance;
  return json;
}

void print_written(const Request& request, const Opened& opened, const Written& written) {
  fmt::print("{}: '{}' of rows of '{}', {}\n", request.out.string(), opened.machine.node,
             opened.machine.from, written.facts);
  if (written.proved)
    fmt::print("compared with the model, by {}: {}\n", written.proof.by, proof_text(written.proof));
  else
    fmt::print(stderr,
               "semblance: NOT PROVED: {} was not compared with the model; export it without "
               "--unproved before you use it\n",
               request.out.string());
}

void add_export_options(options::options_description& described) {
  described.add_options()(
      "to", takes("FORMAT"),
      "what to write: c (one C99 file), onnx, libsvm or liblinear (their model files)")(
      "out", takes("FILE"),
      "the file to write (default: the node's name with the format's ending)")(
      "force", "replace a file that exists")(
      "node", takes("NODE"), "the node whose scores to export, if there are several")(
      "from", takes("NODE"), "begin after this node: its rows are the input (default: the source)")(
      "name", takes("NAME"), "c: the function is NAME_predict (default: the file's name)")(
      "rows", takes<Texts>("DATA"),
      "rows to prove the export with, as DATA or NODE=DATA (default: the test rows of the training "
      "run)")("tolerance", takes<double>("SHARE")->default_value(default_tolerance, "1e-4"),
              "how much scores may differ, as a share of the largest")(
      "unproved", "write without comparing anything with the model")(
      "json", "print what was written as JSON");
  add_computing_options(described);
}

/// Sets names and paths that the command line leaves open.
void complete(Request& request, const std::string& node, bool force) {
  if (request.out.empty()) request.out = plain_name(node) + request.format->ending;
  check_target(request.out, force);
  if (request.name.empty()) request.name = plain_name(request.out.stem().string());
  check_c_name(request.name);
}

int export_from(const Applied& what, Request request, const options::variables_map& values,
                const Catalogue& catalogue) {
  RunOptions settings = run_options(values);
  settings.out.clear();
  settings.use_cache = false;
  settings.quiet = true;
  KnownShapes shapes = what.model.shapes;
  shapes.without_data = !request.proved;
  Session session(*what.pipeline, catalogue, settings, RunPurpose{.judged_elsewhere = true},
                  &shapes);
  session.execute([&] {
    restore_model(session, what.model);
    Opened opened{session, request};
    opened.target = exported_node(session.graph(), request.node);
    opened.from = exported_origin(session.graph(), opened.target, request.from);
    complete(request, session.graph().facts(opened.target).name(), values.count("force") > 0);
    opened.machine = exported_machine(session.progress(), opened.target, opened.from);
    opened.machine.pipeline = what.pipeline->name;
    opened.machine.checksum = what.model.checksum;
    const Written written = request.format->write(opened);
    if (values.count("json"))
      fmt::print("{}", readable_json(written_json(request, opened, written)));
    else
      print_written(request, opened, written);
  });
  return done;
}

}  // namespace

int export_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("export");
  options::options_description described(model_help + "\n\noptions", 100);
  add_export_options(described);
  add_pipeline_options(described);
  const auto values = parse(verb, arguments, described, one_argument());
  if (!values) return done;
  const std::string folder = required_argument(*values, verb);
  const Request request = request_of(*values);
  const Discovery found = discover(*values);
  CheckOptions checking = check_options(*values);
  checking.check_files = request.proved;
  checking.needs_result = false;
  const Applied what = applied_model(folder, option_texts(*values, "rows"), checking,
                                     found.catalogue, run_options(*values).memory);
  fmt::print(stderr, "{}", what.diagnostics);
  if (!what.pipeline) {
    if (request.proved && !values->count("rows"))
      fmt::print(stderr,
                 "semblance: the export is proved with the test rows of the training run; if these "
                 "are gone, name others with --rows DATA\n");
    return wrong_usage;
  }
  stop_on_interrupt();
  report_crashes();
  return export_from(what, request, *values, found.catalogue);
}

}  // namespace semblance::cli
