#include "net/server/response_head.h"

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

TEST(ResponseHead, HasItsFramingAndDate) {
  EXPECT_EQ(response_head({.code = 201, .headers = {{"Content-Type", "text/plain"}}},
                          Framing::kLength, 7, true, 1793534400),
            "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\n"
            "Date: Sun, 01 Nov 2026 12:00:00 GMT\r\nContent-Length: 7\r\n\r\n");
  EXPECT_EQ(response_head({}, Framing::kChunks, 0, false, 0),
            "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
            "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
}

TEST(ResponseHead, CannotBeSplitByAValue) {
  EXPECT_EQ(response_head({.headers = {{"Warning", "a\r\nSet-Cookie: b"}}}, Framing::kUntilClose, 0,
                          true, 0),
            "HTTP/1.1 200 OK\r\nWarning: a  Set-Cookie: b\r\n"
            "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n\r\n");
}

}  // namespace
}  // namespace ebb::net
