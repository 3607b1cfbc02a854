#include <gtest/gtest.h>

#include "pickerclient/protocol.h"
#include "schema/core/utf8.h"

namespace ebb::picker_client {
namespace {

TEST(HttpProtocol, HintsAreTextThatATerminalCanShow) {
  net::HttpReply reply{.code = 200, .content_type = "text/html; \xff\x1b[2J", .body = "{}"};
  EXPECT_EQ(
      read_http_reply(reply).hint,
      "its Content-Type is \"text/html; \xef\xbf\xbd\\u001b[2J\" (expected application/json)");
  // The header is cut inside a character.
  reply.content_type = std::string(99, 'a') + "\xc3\xa4";
  EXPECT_TRUE(schema::is_utf8(read_http_reply(reply).hint));
}

}  // namespace
}  // namespace ebb::picker_client
