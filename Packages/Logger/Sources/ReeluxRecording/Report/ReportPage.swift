/// The page around a report's data.
enum ReportPage {
  /// Returns the page.
  /// - Parameters:
  ///   - title: Any text; it is escaped here.
  ///   - data: JSON in which no `<` stands.
  static func html(title: String, data: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    <title>\(escaped(title))</title>
    <style>
    \(ReportStyle.css)
    </style>
    </head>
    <body>
    <header>
      <h1>\(escaped(title))</h1>
      <p id="about"></p>
      <label>Filter <input id="filter" type="search" placeholder="action or source" aria-label="Filter actions"></label>
      <span id="count" role="status"></span>
      <p class="keys"><kbd>j</kbd> <kbd>k</kbd> or <kbd>↓</kbd> <kbd>↑</kbd> step, <kbd>/</kbd> filter,
        <kbd>Esc</kbd> all</p>
    </header>
    <main>
      <section id="timeline" aria-label="Timeline">
        <div id="list" tabindex="0" role="listbox" aria-label="Actions"><div id="rows"></div></div>
      </section>
      <section id="detail" aria-label="Selected action">
        <div id="problems"></div>
        <h2 id="action"></h2>
        <dl id="facts"></dl>
        <h3>Changes</h3>
        <ul id="changes"></ul>
        <h3>State after</h3>
        <div id="state"></div>
      </section>
      <aside id="side" aria-label="Track and spans">
        <section id="map-section" hidden><h3>Track</h3><svg id="map" role="img" aria-label="Track"></svg></section>
        <section id="spans-section" hidden><h3>Spans</h3><svg id="spans" role="img" aria-label="Spans"></svg>
          <p class="legend"><i class="pending"></i> pending <i class="settled"></i> settled
            <i class="rolledBack"></i> rolled back</p></section>
      </aside>
    </main>
    <noscript>This report needs its own script to be shown; it loads nothing from elsewhere.</noscript>
    <script type="application/json" id="data">\(data)</script>
    <script>
    \(ReportScript.list)
    \(ReportScript.detail)
    \(ReportScript.side)
    </script>
    </body>
    </html>

    """
  }

  /// The text with the characters of markup as entities.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
  }
}
