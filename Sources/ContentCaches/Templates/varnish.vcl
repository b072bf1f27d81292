vcl 4.1;

{{heading}}

import std;
import xkey;

backend origin {
  # Varnish speaks no TLS: put here where stunnel, hitch or HAProxy forwards to {{encryptedUpstream}}.
  .host = "{{upstreamHost}}";
  .port = "{{upstreamPort}}";
  .connect_timeout = 5s;
  .first_byte_timeout = {{originTimeout}}s;
  .between_bytes_timeout = {{originTimeout}}s;
}

# Who may purge.
acl purgers {
  {{purgers}}
}

sub vcl_recv {
  if (req.method == "PURGE" || req.method == "PURGEKEYS" || req.method == "BAN") {
    if (client.ip !~ purgers) { return (synth(403, "Forbidden")); }
    {{tokenCheck}}
    set req.url = regsub(req.url, "\?.*$", "");
    # PURGE /path, for all variants of it.
    if (req.method == "PURGE") { return (purge); }
    # PURGEKEYS / and xkey-purge: k1 k2, for all answers that bear one of the keys.
    if (req.method == "PURGEKEYS") {
      if (!req.http.xkey-purge) { return (synth(400, "xkey-purge is missing")); }
      set req.http.x-purged = xkey.purge(req.http.xkey-purge);
      return (synth(200, "Purged " + req.http.x-purged));
    }
    # BAN / and x-ban-prefix: {{prefix}}/objects/, for all that begins so.
    if (req.http.x-ban-prefix !~ "^/[A-Za-z0-9/_.~-]*$") { return (synth(400, "x-ban-prefix is no path")); }
    ban("obj.http.x-url ~ ^" + regsuball(req.http.x-ban-prefix, "\.", "\\."));
    return (synth(200, "Banned"));
  }
  if (req.method != "GET" && req.method != "HEAD") { return (synth(405, "Method Not Allowed")); }

  # Maintenance: touch {{flag}}, and rm it when all is well.
  if (std.file_exists("{{flag}}")) { return (synth(503, "Maintenance")); }

  # One spelling of each path: the same bytes would be kept under another one, and no purge would name it.
  if (req.url !~ "^{{plainPath}}(\?|$)") { return (synth(404, "Not Found")); }
  # Nothing here depends on a query, or on who asks. Accept-Encoding is left to Varnish: it makes it gzip or nothing.
  set req.url = regsub(req.url, "\?.*$", "");
  unset req.http.Cookie;
  unset req.http.Authorization;
  # Stale while it is fetched again, so long; and so long if the origin cannot be reached (see vcl_deliver).
  set req.grace = {{staleWhileRevalidate}}s;
  if (req.restarts > 0) { set req.grace = {{staleIfError}}s; }
  return (hash);
}

# By path only, so that a purge need not know by which name readers ask.
sub vcl_hash {
  hash_data(req.url);
  return (lookup);
}

sub vcl_purge { return (synth(200, "Purged")); }

sub vcl_backend_fetch { set bereq.http.Host = "{{hostHeader}}"; }

sub vcl_backend_response {
  if (beresp.status != 200 && beresp.status != 304) {
    # A kept answer is better than an error, as long as it may be shown. An error is never kept.
    if (bereq.is_bgfetch && beresp.status >= 500) { return (abandon); }
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
    set beresp.http.Cache-Control = "no-store";
    return (deliver);
  }
  set beresp.http.x-url = bereq.url;
  unset beresp.http.Set-Cookie;
  # CDN-Cache-Control is for caches (RFC 9213); Varnish does not read it by itself. Age counts (RFC 9111, 4.2.3).
  if (beresp.http.CDN-Cache-Control ~ "max-age=[0-9]") {
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s)
      - std.duration(beresp.http.Age + "s", 0s);
  } else if (bereq.url ~ "^{{prefixPattern}}{{config}}$") {
    # An origin that cannot send it, such as a bucket: what content.yaml says.
    set beresp.ttl = {{edgeSeconds}}s - std.duration(beresp.http.Age + "s", 0s);
  } else if (!beresp.http.Cache-Control) {
    set beresp.ttl = 0s;
  }
  set beresp.grace = {{kept}}s;
  if (beresp.ttl <= 0s) {
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
  }
  return (deliver);
}

sub vcl_backend_error {
  if (bereq.is_bgfetch) { return (abandon); }
  set beresp.http.x-unreachable = "yes";
  set beresp.http.Cache-Control = "no-store";
  set beresp.ttl = 0s;
  set beresp.grace = 0s;
  synthetic("");
  return (deliver);
}

sub vcl_deliver {
  # Tries once more, and then serves the kept answer, if stale-if-error allows its age.
  if (resp.http.x-unreachable && req.restarts == 0) { return (restart); }
  unset resp.http.x-unreachable;
  unset resp.http.x-url;
  unset resp.http.X-Varnish;
  unset resp.http.Via;
  set resp.http.X-Cache = "MISS";
  if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; }
}

# Which payload a reader gets: the first of its languages for which there is a text.
sub maintenance_locale {
  set req.http.x-locale = "{{sourceLocale}}";
  if (req.http.Accept-Language ~ "(?i){{languagePattern}}") {
    set req.http.x-tag = std.tolower(regsub(req.http.Accept-Language, "(?i)^(?:.*?,)?\s*({{languageTags}})(?:[-,;\s].*)?$", "\1"));
    if (false) {}
    {{languageRules}}
  }
}

sub vcl_synth {
  set resp.http.Cache-Control = "no-store";
  set resp.body = "";
  if (resp.status == 503 && resp.reason == "Maintenance") {
    call maintenance_locale;
    set resp.reason = "Service Unavailable";
    set resp.http.Content-Type = "application/json";
    set resp.http.Retry-After = "{{retryAfter}}";
    # Read once: after a change of these files, load this file again.
    set resp.body = std.fileread("{{maintenance}}/" + req.http.x-locale + ".json");
  }
  return (deliver);
}
