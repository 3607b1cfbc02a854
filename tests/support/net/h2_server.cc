#include "support/net/h2_server.h"

#include <algorithm>
#include <array>
#include <memory>

#include <nghttp2/nghttp2.h>

namespace ebb::support {
namespace {

struct Stream {
  H2Request request{};
  H2Answer answer{};
  std::size_t sent = 0;
};

struct Server {
  const std::function<H2Answer(const H2Request&)>& answer;
  std::map<int, Stream> streams{};
};

// Valid for as long as the headers are.
std::vector<nghttp2_nv> to_pairs(const H2Answer::Headers& headers) {
  std::vector<nghttp2_nv> pairs;
  for (const auto& [name, value] : headers) {
    nghttp2_nv pair{};
    pair.name = reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data()));
    pair.value = reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data()));
    pair.namelen = name.size();
    pair.valuelen = value.size();
    pairs.push_back(pair);
  }
  return pairs;
}

ssize_t read_body(nghttp2_session* session, std::int32_t id, std::uint8_t* into, std::size_t room,
                  std::uint32_t* flags, nghttp2_data_source* source, void* /*server*/) {
  Stream& stream = *static_cast<Stream*>(source->ptr);
  const H2Answer& answer = stream.answer;
  if (answer.endless && stream.sent == answer.body.size()) stream.sent = 0;
  const std::size_t size = std::min(room, answer.body.size() - stream.sent);
  std::copy_n(answer.body.data() + stream.sent, size, into);
  stream.sent += size;
  if (answer.endless || stream.sent < answer.body.size()) return static_cast<ssize_t>(size);
  *flags |= NGHTTP2_DATA_FLAG_EOF;
  if (!answer.trailers.empty()) {
    *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    const auto pairs = to_pairs(answer.trailers);
    nghttp2_submit_trailer(session, id, pairs.data(), pairs.size());
  }
  return static_cast<ssize_t>(size);
}

void submit(nghttp2_session* session, int id, Stream& stream) {
  const H2Answer& answer = stream.answer;
  if (answer.silent) return;
  if (answer.reset) {
    nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR);
    return;
  }
  const auto pairs = to_pairs(answer.headers);
  nghttp2_data_provider body{};
  body.source.ptr = &stream;
  body.read_callback = &read_body;
  const bool only_head = answer.body.empty() && answer.trailers.empty();
  nghttp2_submit_response(session, id, pairs.data(), pairs.size(), only_head ? nullptr : &body);
}

int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
  auto& server = *static_cast<Server*>(user);
  const bool ends = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  if (!ends || (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA)) return 0;
  Stream& stream = server.streams[frame->hd.stream_id];
  stream.answer = server.answer(stream.request);
  submit(session, frame->hd.stream_id, stream);
  return 0;
}

int on_header(nghttp2_session* /*session*/, const nghttp2_frame* frame, const std::uint8_t* name,
              std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
              std::uint8_t /*flags*/, void* user) {
  const std::string key(reinterpret_cast<const char*>(name), name_size);
  static_cast<Server*>(user)->streams[frame->hd.stream_id].request.headers[key] =
      std::string(reinterpret_cast<const char*>(value), value_size);
  return 0;
}

int on_data(nghttp2_session* /*session*/, std::uint8_t /*flags*/, std::int32_t id,
            const std::uint8_t* data, std::size_t size, void* user) {
  static_cast<Server*>(user)->streams[id].request.body.append(reinterpret_cast<const char*>(data),
                                                              size);
  return 0;
}

// Whether all of it went out.
bool send_pending(nghttp2_session* session, RawConnection& connection) {
  while (true) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session, &data);
    if (size <= 0) return size == 0;
    if (!connection.write({reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)})) {
      return false;
    }
  }
}

}  // namespace

void serve_h2(RawConnection& connection, const std::function<H2Answer(const H2Request&)>& answer) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &on_frame);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, &on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &on_data);
  Server server{answer};
  nghttp2_session* session = nullptr;
  nghttp2_session_server_new(&session, callbacks, &server);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, nullptr, 0);
  std::array<char, 16384> buffer{};
  while (send_pending(session, connection)) {
    const int count = connection.read_some(buffer.data(), static_cast<int>(buffer.size()));
    if (count <= 0) break;
    if (nghttp2_session_mem_recv(session, reinterpret_cast<const std::uint8_t*>(buffer.data()),
                                 static_cast<std::size_t>(count)) < 0) {
      break;
    }
  }
  nghttp2_session_del(session);
}

}  // namespace ebb::support
