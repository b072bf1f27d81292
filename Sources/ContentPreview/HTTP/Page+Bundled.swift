extension Page {
  /// The page that comes with the tool.
  static let bundled = Page(index: index, files: ["page.css": style, "page.js": script])

  private static let index = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>contentc preview</title>
    <!-- style: page.css -->
    <h1>contentc preview</h1>
    <p role="status" id="state">Asking how the build went…</p>
    <p><a id="config" hidden></a></p>
    <pre id="text"></pre>
    <!-- script: page.js -->
    </html>
    """

  private static let style = "body { font: 1rem system-ui; margin: 2rem; color-scheme: light dark }"

  private static let script = """
    const show = async () => {
      const state = await (await fetch("/api/state")).json();
      const build = state.build;
      document.documentElement.dataset.generation = state.generation;
      document.getElementById("state").textContent = state.ok
        ? `Build ${state.generation} of ${state.app}: ${build.entries} entries in ${build.milliseconds} ms`
        : "The content has mistakes; the last good build is served.";
      document.getElementById("text").textContent = state.text;
      const link = document.getElementById("config");
      link.href = link.textContent = `/preview/config.${state.format === "json" ? "json" : "plist"}`;
      link.hidden = !state.format;
    };
    new EventSource("/api/events").addEventListener("build", show);
    """
}
