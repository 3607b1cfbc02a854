#include "sim/pickers/pickers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/pickers/picker_answers.h"

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

// The result of a call without an answer.
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

Nanoseconds Pickers::up_to(Nanoseconds max_ns) {
  return static_cast<Nanoseconds>(random_.below(static_cast<std::uint64_t>(max_ns) + 1));
}

void Pickers::begin_outage(Nanoseconds duration) {
  context_.met.add(Fault::kPickerOutage);
  of_all_ = {.fault = random_.chance(0.5) ? Fault::kPickerRefused : Fault::kPickerSilent,
             .until = later_by(context_.time.now(), duration)};
}

std::optional<Fault> Pickers::draw_fault(const std::string& endpoint) {
  if (context_.time.now() < of_all_.until) {
    context_.met.add(of_all_.fault);
    return of_all_.fault;
  }
  const double outage_chance = context_.profile[Fault::kPickerOutage];
  Outage& outage = outages_[endpoint];
  if (outage_chance > 0 && context_.time.now() < outage.until) {
    context_.met.add(outage.fault);
    return outage.fault;
  }
  if (random_.chance(outage_chance)) {
    context_.met.add(Fault::kPickerOutage);
    outage = {.fault = kFailures[random_.below(std::size(kFailures))],
              .until = later_by(context_.time.now(), 20 * kSecond + up_to(40 * kSecond))};
    context_.met.add(outage.fault);
    return outage.fault;
  }
  // Starts at a random fault, so that none takes precedence.
  const std::size_t first = random_.below(kFaults);
  for (std::size_t i = 0; i < kFaults; ++i) {
    const auto fault = static_cast<Fault>((first + i) % kFaults);
    if (!of_pickers(fault) || fault == Fault::kPickerOutage) continue;
    const bool by_others = fault >= Fault::kScaledMeanwhile && fault != Fault::kCrashMeanwhile;
    if ((by_others && !meanwhile) || !random_.chance(context_.profile[fault])) continue;
    context_.met.add(fault);
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
  // A failure may also take a while.
  if (plan.fault && is_failure(fault) && random_.chance(0.3)) plan.after = up_to(call.deadline_ns);
  if (fault == Fault::kPickerTooLate) {
    plan.after = call.deadline_ns + 1 + up_to(10 * kSecond);
  } else if (fault == Fault::kPickerSilent || plan.after >= call.deadline_ns) {
    plan.after = call.deadline_ns;
    plan.reply = {.outcome = Outcome::kTimeout};
    return plan;
  }
  const std::optional<ReceivedRequest> request = read_request(call);
  if (!request) {
    plan.reply = status(call, 400, 3, false);
    return plan;
  }
  if (fault >= Fault::kScaledMeanwhile && fault != Fault::kLast) {
    happens_meanwhile(fault, *request, plan.after);
  }
  plan.reply = reply_to(call, *request, plan.fault);
  return plan;
}

Reply Pickers::reply_to(const picker::Call& call, const ReceivedRequest& request,
                        std::optional<Fault> fault) {
  if (fault == Fault::kPickerThrottled) {
    Reply reply = status(call, 429, 8, true);
    reply.retry_after_ns = up_to(2 * kSecond);
    return reply;
  }
  if (fault && is_failure(*fault)) return failure(call, *fault);
  Reply reply{.outcome = Outcome::kAnswered};
  if (fault == Fault::kPickerWrong) {
    reply.answer = wrong_answer(request);
  } else if (fault != Fault::kPickerEmpty) {
    reply.answer = answer_well(request, call.settings->host);
  }
  if (reply.answer.chosen.empty() && reply.answer.tied.empty()) reply.outcome = Outcome::kEmpty;
  return reply;
}

picker::Answer Pickers::wrong_answer(const ReceivedRequest& request) {
  std::vector<std::string> others;
  for (const auto& entry : context_.truth.pods()) others.push_back(entry.second.name);
  return answer_wrongly(request, others, random_);
}

void Pickers::happens_meanwhile(Fault fault, const ReceivedRequest& request, Nanoseconds within) {
  if (!meanwhile || request.candidates.empty()) return;
  std::string set_uid;
  for (const auto& entry : context_.truth.pods()) {
    if (entry.second.name == request.candidates.front() && !entry.second.controller.empty()) {
      set_uid = entry.second.controller;
    }
  }
  context_.time.after(up_to(within), [this, fault, set_uid] { meanwhile(fault, set_uid); });
}

}  // namespace ebb::sim
