// Fuzzes the admission reviews that `ebb webhook` receives, and the marks in them. Every document
// with a uid is a review, so that it can be answered, and the answer names that uid.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/check.h"
#include "control/webhook/admission_review.h"
#include "input.h"
#include "model/records/scale_down_mark.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::control::AdmissionReview;
using ebb::schema::text_at;

void check_mark(std::string_view text) {
  const auto mark = ebb::model::parse_mark(text);
  if (!mark) return;
  EBB_CHECK(mark->size >= 0 && mark->cost < 0);
  EBB_CHECK(ebb::fuzz::is_one_line(mark->decision));
  const std::string written = mark_text(*mark);
  const auto again = ebb::model::parse_mark(written);
  EBB_CHECK(again && again->decision == mark->decision && again->size == mark->size &&
            again->cost == mark->cost);
}

void check_answer(const std::string& answer, const AdmissionReview& review, bool allowed) {
  const auto parsed = ebb::fuzz::parse_plainly(answer);
  EBB_CHECK(parsed && parsed->is_object());
  EBB_CHECK(text_at(parsed->get_object(), {"response", "uid"}) == review.uid);
  EBB_CHECK(ebb::schema::is_true_at(parsed->get_object(), {"response", "allowed"}) == allowed);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body = ebb::fuzz::as_text(data, size);
  check_mark(body);
  const auto review = ebb::control::decode_review(body);
  const auto parsed = ebb::fuzz::parse_plainly(body);
  if (parsed && parsed->is_object() && !ebb::fuzz::has_odd_names(body)) {
    const std::string_view uid = text_at(parsed->get_object(), {"request", "uid"});
    // Reviews are parsed to a smaller depth.
    EBB_CHECK(!review || review->uid == uid);
  }
  if (!review) return 0;
  EBB_CHECK(!review->uid.empty());
  EBB_CHECK(!review->resize || !review->removal);
  if (review->removal) {
    check_mark(review->removal->mark);
    EBB_CHECK(review->removal->set.empty() == review->removal->set_uid.empty() ||
              !review->removal->set.empty());
  }
  if (!ebb::fuzz::is_text(body)) return 0;
  check_answer(ebb::control::allowing_answer(review->uid), *review, true);
  check_answer(ebb::control::refusing_answer(review->uid, review->user), *review, false);
  return 0;
}
