// A pod picker for a sharded game server: the shards with the fewest players go first.
//
// Shards report their players every few seconds (PUT /shards/NAME?players=12&premium=3), so requests
// are answered from memory. A request changes nothing: the same reports give the same answer.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

public class GameShards {
  // A paying player counts as three.
  static final int PREMIUM_WEIGHT = 3;
  // A shard that has been silent for this long may be full, so it is not named.
  static final Duration FRESH = Duration.ofSeconds(60);
  // The expected value of the header Authorization ("Bearer ..."). If empty, all clients are admitted.
  static final String AUTHORIZATION = environment("PICKER_AUTHORIZATION", "").strip();

  record Report(long load, Instant at) {
    boolean isFresh(Instant now) {
      return at.isAfter(now.minus(FRESH));
    }
  }

  record PickRequest(int wanted, List<String> candidates) {}

  static final Map<String, Report> reports = new ConcurrentHashMap<>();

  /** The answer in JSON: the chosen pods, and the tied ones. */
  static String pick(PickRequest request, Instant now) {
    // A copy, because shards keep reporting.
    Map<String, Long> loads = new TreeMap<>();
    for (String pod : request.candidates()) {
      Report report = reports.get(pod);
      if (report != null && report.isFresh(now)) loads.put(pod, report.load());
    }
    List<String> empty = withLoad(loads, load -> load == 0);
    if (empty.size() >= request.wanted()) {
      // Enough shards are empty. More names than wanted are fine: the default order decides.
      return answer(empty, List.of());
    }
    if (loads.size() <= request.wanted()) {
      // Fewer names than wanted are fine too: the default order finds the rest.
      return answer(List.copyOf(loads.keySet()), List.of());
    }
    long limit = loads.values().stream().sorted().toList().get(request.wanted() - 1);
    // All pods below the limit have to go. Of those at the limit only some, whichever they are.
    return answer(withLoad(loads, load -> load < limit), withLoad(loads, load -> load == limit));
  }

  static List<String> withLoad(Map<String, Long> loads, LongPredicate wanted) {
    return loads.keySet().stream().filter(pod -> wanted.test(loads.get(pod))).toList();
  }

  // The JDK has no JSON parser. Two patterns are enough here, because names of pods contain neither
  // quotes nor brackets. Use a library in a real service.
  static final Pattern WANTED =
      Pattern.compile("\"number_of_pods_requested\"\\s*:\\s*(\\d{1,9})\\b");
  static final Pattern CANDIDATES = Pattern.compile("\"candidate_pods\"\\s*:\\s*\\[([^\\]]*)\\]");
  static final Pattern NAME = Pattern.compile("\"([a-z0-9.-]+)\"");

  static PickRequest read(String json) {
    Matcher wanted = WANTED.matcher(json);
    Matcher candidates = CANDIDATES.matcher(json);
    if (!wanted.find() || !candidates.find()) return null;
    List<String> names = NAME.matcher(candidates.group(1)).results().map(r -> r.group(1)).toList();
    return new PickRequest(Integer.parseInt(wanted.group(1)), names);
  }

  static String answer(List<String> chosen, List<String> tied) {
    return "{\"chosen_pods\": " + list(chosen) + ", \"tied_pods\": " + list(tied) + "}";
  }

  static String list(List<String> names) {
    return names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", ", "[", "]"));
  }

  static void asked(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    PickRequest request = read(body);
    if (!authorized(exchange)) {
      respond(exchange, 401, "{\"error\": \"wrong or no Authorization\"}");
    } else if (request == null) {
      respond(exchange, 400, "{\"error\": \"not a picker request\"}");
    } else {
      String answer = pick(request, Instant.now());
      System.out.println(request + ": " + answer);
      respond(exchange, 200, answer);
    }
  }

  static final Pattern REPORT =
      Pattern.compile("/shards/([a-z0-9.-]+)\\?players=(\\d{1,9})&premium=(\\d{1,9})");

  static void reported(HttpExchange exchange) throws IOException {
    Matcher report = REPORT.matcher(exchange.getRequestURI().toString());
    if (!authorized(exchange)) {
      respond(exchange, 401, "{\"error\": \"wrong or no Authorization\"}");
    } else if (!report.matches()) {
      respond(exchange, 400, "{\"error\": \"PUT /shards/NAME?players=12&premium=3\"}");
    } else {
      long premium = Long.parseLong(report.group(3));
      long others = Math.max(0, Long.parseLong(report.group(2)) - premium);
      Instant now = Instant.now();
      reports.put(report.group(1), new Report(others + PREMIUM_WEIGHT * premium, now));
      reports.values().removeIf(one -> !one.isFresh(now));  // shards that are gone
      respond(exchange, 200, "{}");
    }
  }

  static boolean authorized(HttpExchange exchange) {
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    return AUTHORIZATION.isEmpty()
        || (given != null && MessageDigest.isEqual(given.getBytes(), AUTHORIZATION.getBytes()));
  }

  static void respond(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  static String environment(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }

  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(environment("PORT", "8080"));
    var where = new InetSocketAddress(environment("HOST", "0.0.0.0"), port);
    HttpServer server = HttpServer.create(where, 0);
    server.createContext("/pick", GameShards::asked);
    server.createContext("/shards/", GameShards::reported);
    server.createContext("/healthz", exchange -> respond(exchange, 200, "{}"));
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.start();
  }
}
