#include "cluster/server/compress.h"

#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace ebb::cluster {
namespace {

std::string unpacked(std::string packed, std::size_t size) {
  std::string plain(size + 1, '\0');
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

TEST(Compress, GivesBackWhatItTook) {
  Bytes plain;
  plain.append_static(R"({"items":[)");
  for (int i = 0; i < 20'000; ++i) plain.append("item-" + std::to_string(i * 7919) + ",");
  plain.append_static("");
  plain.append_static("]}");
  const auto packed = compressed(plain);
  ASSERT_TRUE(packed.has_value());
  EXPECT_LT(packed->size(), plain.size() / 2);
  EXPECT_EQ(unpacked(packed->str(), plain.size()), plain.str());
  EXPECT_EQ(unpacked(compressed(Bytes())->str(), 0), "");
}

TEST(Compress, IsUsedForClientsThatAcceptGzip) {
  for (const char* accepted : {"gzip", "deflate, gzip", "gzip,br", " gzip "}) {
    EXPECT_TRUE(accepts_gzip(accepted)) << accepted;
  }
  for (const char* other : {"", "identity", "gzip;q=0", "xgzip", ","}) {
    EXPECT_FALSE(accepts_gzip(other)) << other;
  }
}

}  // namespace
}  // namespace ebb::cluster
