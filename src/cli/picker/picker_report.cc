#include "cli/picker/picker_report.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "cli/common/json_text.h"
#include "model/json/printable.h"
#include "schema/core/plain_json.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;
using picker::Outcome;

// Long requests and answers are cut in the text report; -o json shows them completely.
constexpr std::size_t kShownBytes = 160;
constexpr std::size_t kShownVictims = 6;

double milliseconds(Nanoseconds span) { return static_cast<double>(span) / 1e6; }

std::string cut(std::string text) {
  if (text.size() <= kShownBytes) return text;
  const std::size_t all = text.size();
  text.resize(kShownBytes);
  return fmt::format("{}... ({} bytes)", text, all);
}

template <class Names>
json::array names(const Names& of) {
  return json::array(of.begin(), of.end());
}

// The request as a picker receives it over HTTP; gRPC has the same content in another encoding.
json::object request_document(const picker::PickRequest& request) {
  return {{"number_of_pods_requested", request.requested},
          {"candidate_pods", names(request.candidates)}};
}

json::object answer_document(const picker::Answer& answer) {
  return {{"chosen_pods", names(answer.chosen)}, {"tied_pods", names(answer.tied)}};
}

// Escapes any bytes into one line of ASCII.
std::string escaped(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (byte < 0x20 || byte > 0x7e || c == '\\') {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text;
}

std::string describe_excerpt(const picker::Reply& reply) {
  std::string text = escaped(reply.excerpt);
  if (reply.answer_bytes == reply.excerpt.size()) return text;
  return fmt::format("{}... ({} bytes)", text, reply.answer_bytes);
}

bool has_answer(const TrialResult& trial_result) {
  return trial_result.reply.outcome == Outcome::kAnswered ||
         trial_result.reply.outcome == Outcome::kEmpty;
}

std::string describe_timing(const TrialResult& trial_result, Nanoseconds budget_ns) {
  const double share =
      100 * static_cast<double>(trial_result.took_ns) / static_cast<double>(budget_ns);
  return fmt::format("after {:.1f} ms, {:.0f} % of the time budget",
                     milliseconds(trial_result.took_ns), share);
}

void describe_victims(const TrialResult& trial_result, std::vector<std::string>& lines) {
  lines.emplace_back("   would go:");
  for (const TrialResult::Victim& victim : trial_result.victims) {
    if (&victim == &trial_result.victims.front() + kShownVictims) {
      lines.push_back(fmt::format("     and {} more", trial_result.victims.size() - kShownVictims));
      break;
    }
    lines.push_back(fmt::format("     {} ({}: {})", victim.name, victim.rule, victim.because));
  }
}

std::string describe(const TrialResult& trial_result, std::size_t number,
                     const picker::Settings& settings) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}. {}", number, trial_result.title));
  lines.push_back("   request:  " +
                  cut(schema::plain_json(request_document(trial_result.request))));
  if (has_answer(trial_result)) {
    lines.push_back("   answer:   " +
                    cut(schema::plain_json(answer_document(trial_result.reply.answer))));
    lines.push_back(fmt::format("             {}; {} chosen, {} tied, {} ignored",
                                describe_timing(trial_result, settings.timeout_ns),
                                trial_result.chosen, trial_result.tied,
                                trial_result.ignored.size()));
  } else if (!trial_result.reply.excerpt.empty()) {
    lines.push_back("   answer:   " + describe_excerpt(trial_result.reply));
    lines.push_back(fmt::format("             {}; not a valid answer",
                                describe_timing(trial_result, settings.timeout_ns)));
  } else {
    lines.push_back("   answer:   none " + describe_timing(trial_result, settings.timeout_ns));
  }
  describe_victims(trial_result, lines);
  for (const std::string& problem : trial_result.problems)
    lines.push_back("   problem:  " + problem);
  for (const std::string& warning : trial_result.warnings)
    lines.push_back("   warning:  " + warning);
  std::string text;
  for (const std::string& line : lines) text += model::printable(line) + '\n';
  return text;
}

}  // namespace

std::size_t count_problems(const std::vector<TrialResult>& trial_results) {
  std::size_t count = 0;
  for (const TrialResult& trial_result : trial_results) count += trial_result.problems.size();
  return count;
}

std::string picker_report(const picker::Settings& settings,
                          const std::vector<TrialResult>& trial_results) {
  std::string text;
  std::size_t number = 1;
  for (const TrialResult& trial_result : trial_results)
    text += describe(trial_result, number++, settings) + '\n';
  std::size_t warnings = 0;
  for (const TrialResult& trial_result : trial_results) warnings += trial_result.warnings.size();
  const auto plural = [](std::size_t count, std::string_view word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  text += model::printable(fmt::format(
              "{}: {}, {}, {}", settings.endpoint(), plural(trial_results.size(), "request"),
              plural(count_problems(trial_results), "problem"), plural(warnings, "warning"))) +
          '\n';
  return text;
}

std::string picker_report_json(const picker::Settings& settings,
                               const std::vector<TrialResult>& trial_results) {
  json::array documents;
  for (const TrialResult& trial_result : trial_results) {
    json::array victims;
    for (const TrialResult::Victim& victim : trial_result.victims) {
      victims.push_back(json::object{
          {"name", victim.name}, {"decidedBy", victim.rule}, {"because", victim.because}});
    }
    json::object document{{"title", trial_result.title},
                          {"question", request_document(trial_result.request)},
                          {"outcome", to_string(trial_result.reply.outcome)},
                          {"milliseconds", milliseconds(trial_result.took_ns)}};
    if (trial_result.reply.outcome == Outcome::kStatusCode)
      document["code"] = trial_result.reply.code;
    if (has_answer(trial_result)) document["answer"] = answer_document(trial_result.reply.answer);
    if (!trial_result.reply.excerpt.empty())
      document["received"] = describe_excerpt(trial_result.reply);
    document["counted"] =
        json::object{{"chosen", trial_result.chosen}, {"tied", trial_result.tied}};
    document["ignored"] = names(trial_result.ignored);
    document["wouldGo"] = std::move(victims);
    document["problems"] = names(trial_result.problems);
    document["warnings"] = names(trial_result.warnings);
    documents.push_back(std::move(document));
  }
  return to_json_text(
      json::object{{"apiVersion", "ebb.dev/v1alpha1"},
                   {"kind", "PickerCheck"},
                   {"endpoint", settings.endpoint()},
                   {"timeoutMilliseconds", milliseconds(settings.timeout_ns)},
                   {"context", settings.context == picker::Context::kFull ? "full" : "names"},
                   {"questions", std::move(documents)},
                   {"problems", count_problems(trial_results)}});
}

}  // namespace ebb::cli
