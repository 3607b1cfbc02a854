#include "sim/pickers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/picker_answers.h"

namespace ebb::sim {
namespace {

using picker::Outcome;
using picker::Reply;

constexpr Nanoseconds kPrompt = 50 * kMillisecond;

Reply status(const picker::Call& call, int http, int grpc, bool repeatable) {
  Reply reply{.outcome = Outcome::kStatusCode, .repeatable = repeatable};
  reply.code = call.settings->protocol == picker::Protocol::kGrpc ? grpc : http;
  return reply;
}

// What asking ends with if there is no answer.
Reply failure(const picker::Call& call, Fault fault) {
  switch (fault) {
    case Fault::kPickerMalformed:
      return {.outcome = Outcome::kMalformed, .repeatable = true};
    case Fault::kPickerError:
      return status(call, 500, 13, true);
    case Fault::kPickerNotFound:
      return status(call, 404, 5, false);
    case Fault::kPickerTls:
      return {.outcome = Outcome::kTls, .repeatable = true};
    case Fault::kPickerOversize:
      return {.outcome = Outcome::kOversize};
    case Fault::kPickerRefused:
      return {.outcome = Outcome::kRefused, .repeatable = true};
    default:
      return {.outcome = Outcome::kTimeout};
  }
}

constexpr Fault kFailures[] = {
    Fault::kPickerSilent,   Fault::kPickerMalformed, Fault::kPickerError,
    Fault::kPickerNotFound, Fault::kPickerThrottled, Fault::kPickerTls,
    Fault::kPickerOversize, Fault::kPickerRefused,
};

bool is_failure(Fault fault) {
  return fault == Fault::kPickerSilent ||
         (fault >= Fault::kPickerMalformed && fault <= Fault::kPickerRefused);
}

}  // namespace

Nanoseconds Pickers::up_to(Nanoseconds most_ns) {
  return static_cast<Nanoseconds>(dice_.below(static_cast<std::uint64_t>(most_ns) + 1));
}

void Pickers::begin_outage(Nanoseconds duration) {
  setting_.met.add(Fault::kPickerOutage);
  of_all_ = {.fault = dice_.chance(0.5) ? Fault::kPickerRefused : Fault::kPickerSilent,
             .until = later_by(setting_.time.now(), duration)};
}

std::optional<Fault> Pickers::draw_fault(const std::string& endpoint) {
  if (setting_.time.now() < of_all_.until) {
    setting_.met.add(of_all_.fault);
    return of_all_.fault;
  }
  const double outage_chance = setting_.profile[Fault::kPickerOutage];
  Outage& outage = outages_[endpoint];
  if (outage_chance > 0 && setting_.time.now() < outage.until) {
    setting_.met.add(outage.fault);
    return outage.fault;
  }
  if (dice_.chance(outage_chance)) {
    setting_.met.add(Fault::kPickerOutage);
    outage = {.fault = kFailures[dice_.below(std::size(kFailures))],
              .until = later_by(setting_.time.now(), 20 * kSecond + up_to(40 * kSecond))};
    setting_.met.add(outage.fault);
    return outage.fault;
  }
  // None of them has precedence.
  const std::size_t first = dice_.below(kFaults);
  for (std::size_t i = 0; i < kFaults; ++i) {
    const auto fault = static_cast<Fault>((first + i) % kFaults);
    if (!of_pickers(fault) || fault == Fault::kPickerOutage) continue;
    const bool by_others = fault >= Fault::kScaledMeanwhile && fault != Fault::kCrashMeanwhile;
    if ((by_others && !meanwhile) || !dice_.chance(setting_.profile[fault])) continue;
    setting_.met.add(fault);
    return fault;
  }
  return std::nullopt;
}

Pickers::Plan Pickers::ask(const picker::Call& call) {
  Plan plan;
  plan.fault = draw_fault(call.settings->endpoint());
  const Fault fault = plan.fault.value_or(Fault::kLast);
  const bool thinks = fault == Fault::kPickerLate || fault >= Fault::kScaledMeanwhile;
  plan.after = up_to(plan.fault && thinks ? call.deadline_ns : kPrompt);
  // Also a failure may take its time.
  if (plan.fault && is_failure(fault) && dice_.chance(0.3)) plan.after = up_to(call.deadline_ns);
  if (fault == Fault::kPickerTooLate) {
    plan.after = call.deadline_ns + 1 + up_to(10 * kSecond);
  } else if (fault == Fault::kPickerSilent || plan.after >= call.deadline_ns) {
    plan.after = call.deadline_ns;
    plan.reply = {.outcome = Outcome::kTimeout};
    return plan;
  }
  const std::optional<HeardQuestion> question = read_question(call);
  if (!question) {
    plan.reply = status(call, 400, 3, false);
    return plan;
  }
  if (fault >= Fault::kScaledMeanwhile && fault != Fault::kLast) {
    happens_meanwhile(fault, *question, plan.after);
  }
  plan.reply = reply_to(call, *question, plan.fault);
  return plan;
}

Reply Pickers::reply_to(const picker::Call& call, const HeardQuestion& question,
                        std::optional<Fault> fault) {
  if (fault == Fault::kPickerThrottled) {
    Reply reply = status(call, 429, 8, true);
    reply.retry_after_ns = up_to(2 * kSecond);
    return reply;
  }
  if (fault && is_failure(*fault)) return failure(call, *fault);
  Reply reply{.outcome = Outcome::kAnswered};
  if (fault == Fault::kPickerWrong) {
    reply.answer = wrong_answer(question);
  } else if (fault != Fault::kPickerEmpty) {
    reply.answer = answer_well(question, call.settings->host);
  }
  if (reply.answer.chosen.empty() && reply.answer.tied.empty()) reply.outcome = Outcome::kEmpty;
  return reply;
}

picker::Answer Pickers::wrong_answer(const HeardQuestion& question) {
  std::vector<std::string> others;
  for (const auto& entry : setting_.truth.pods()) others.push_back(entry.second.name);
  return answer_wrongly(question, others, dice_);
}

void Pickers::happens_meanwhile(Fault fault, const HeardQuestion& question, Nanoseconds within) {
  if (!meanwhile || question.candidates.empty()) return;
  std::string set_uid;
  for (const auto& entry : setting_.truth.pods()) {
    if (entry.second.name == question.candidates.front() && !entry.second.controller.empty()) {
      set_uid = entry.second.controller;
    }
  }
  setting_.time.after(up_to(within), [this, fault, set_uid] { meanwhile(fault, set_uid); });
}

}  // namespace ebb::sim
