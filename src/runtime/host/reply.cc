#include "runtime/host/reply.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "schema/core/json.h"

namespace ebb::runtime {

std::string what_went_wrong(const kube::ApiReply& reply) {
  if (reply.failure != net::HttpReply::Failure::kNone) return reply.error;
  boost::json::error_code error;
  const boost::json::value body = boost::json::parse(reply.response.body.str(), error);
  if (!error && body.is_object()) {
    const std::string_view message = schema::text_at(body.get_object(), {"message"});
    if (!message.empty()) return std::string(message);
  }
  return fmt::format("the server answered with code {}", reply.response.code);
}

}  // namespace ebb::runtime
