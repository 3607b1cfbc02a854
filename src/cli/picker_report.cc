#include "cli/picker_report.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "cli/json_text.h"
#include "model/printable.h"
#include "schema/plain_json.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;
using picker::Outcome;

// Questions and answers about hundreds of pods are cut; -o json has them whole.
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

// As a picker over HTTP sees it; gRPC says the same in other bytes.
json::object question_document(const picker::Question& question) {
  return {{"number_of_pods_requested", question.requested},
          {"candidate_pods", names(question.candidates)}};
}

json::object answer_document(const picker::Answer& answer) {
  return {{"chosen_pods", names(answer.chosen)}, {"tied_pods", names(answer.tied)}};
}

// Any bytes, in one line of ASCII.
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

bool heard(const Finding& finding) {
  return finding.reply.outcome == Outcome::kAnswered || finding.reply.outcome == Outcome::kEmpty;
}

std::string describe_timing(const Finding& finding, Nanoseconds budget_ns) {
  const double share = 100 * static_cast<double>(finding.took_ns) / static_cast<double>(budget_ns);
  return fmt::format("after {:.1f} ms, {:.0f} % of the time there is",
                     milliseconds(finding.took_ns), share);
}

void describe_victims(const Finding& finding, std::vector<std::string>& lines) {
  lines.emplace_back("   would go:");
  for (const Finding::Victim& victim : finding.victims) {
    if (&victim == &finding.victims.front() + kShownVictims) {
      lines.push_back(fmt::format("     and {} more", finding.victims.size() - kShownVictims));
      break;
    }
    lines.push_back(fmt::format("     {} ({}: {})", victim.name, victim.rule, victim.because));
  }
}

std::string describe(const Finding& finding, std::size_t number, const picker::Settings& settings) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}. {}", number, finding.title));
  lines.push_back("   asked:    " + cut(schema::plain_json(question_document(finding.question))));
  if (heard(finding)) {
    lines.push_back("   answer:   " +
                    cut(schema::plain_json(answer_document(finding.reply.answer))));
    lines.push_back(fmt::format("             {}; {} chosen, {} tied, {} ignored",
                                describe_timing(finding, settings.timeout_ns), finding.chosen,
                                finding.tied, finding.ignored.size()));
  } else if (!finding.reply.excerpt.empty()) {
    lines.push_back("   answer:   " + describe_excerpt(finding.reply));
    lines.push_back(fmt::format("             {}; not as the contract wants it",
                                describe_timing(finding, settings.timeout_ns)));
  } else {
    lines.push_back("   answer:   none " + describe_timing(finding, settings.timeout_ns));
  }
  describe_victims(finding, lines);
  for (const std::string& problem : finding.problems) lines.push_back("   problem:  " + problem);
  for (const std::string& warning : finding.warnings) lines.push_back("   warning:  " + warning);
  std::string text;
  for (const std::string& line : lines) text += model::printable(line) + '\n';
  return text;
}

}  // namespace

std::size_t count_problems(const std::vector<Finding>& findings) {
  std::size_t count = 0;
  for (const Finding& finding : findings) count += finding.problems.size();
  return count;
}

std::string picker_report(const picker::Settings& settings, const std::vector<Finding>& findings) {
  std::string text;
  std::size_t number = 1;
  for (const Finding& finding : findings) text += describe(finding, number++, settings) + '\n';
  std::size_t warnings = 0;
  for (const Finding& finding : findings) warnings += finding.warnings.size();
  const auto plural = [](std::size_t count, std::string_view word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  text += model::printable(fmt::format(
              "{}: {} asked, {}, {}", settings.endpoint(), plural(findings.size(), "question"),
              plural(count_problems(findings), "problem"), plural(warnings, "warning"))) +
          '\n';
  return text;
}

std::string picker_report_json(const picker::Settings& settings,
                               const std::vector<Finding>& findings) {
  json::array documents;
  for (const Finding& finding : findings) {
    json::array victims;
    for (const Finding::Victim& victim : finding.victims) {
      victims.push_back(json::object{
          {"name", victim.name}, {"decidedBy", victim.rule}, {"because", victim.because}});
    }
    json::object document{{"title", finding.title},
                          {"question", question_document(finding.question)},
                          {"outcome", to_string(finding.reply.outcome)},
                          {"milliseconds", milliseconds(finding.took_ns)}};
    if (finding.reply.outcome == Outcome::kStatusCode) document["code"] = finding.reply.code;
    if (heard(finding)) document["answer"] = answer_document(finding.reply.answer);
    if (!finding.reply.excerpt.empty()) document["received"] = describe_excerpt(finding.reply);
    document["counted"] = json::object{{"chosen", finding.chosen}, {"tied", finding.tied}};
    document["ignored"] = names(finding.ignored);
    document["wouldGo"] = std::move(victims);
    document["problems"] = names(finding.problems);
    document["warnings"] = names(finding.warnings);
    documents.push_back(std::move(document));
  }
  return to_json_text(
      json::object{{"apiVersion", "ebb.dev/v1alpha1"},
                   {"kind", "PickerCheck"},
                   {"endpoint", settings.endpoint()},
                   {"timeoutMilliseconds", milliseconds(settings.timeout_ns)},
                   {"context", settings.context == picker::Context::kFull ? "full" : "names"},
                   {"questions", std::move(documents)},
                   {"problems", count_problems(findings)}});
}

}  // namespace ebb::cli
