/// The HTML around a report's data.
enum ReportPage {
  /// The HTML before the data.
  /// - Parameter title: Any text. It is escaped here.
  static func head(title: String) -> String {
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
      <h1 id="title">\(escaped(title))</h1>
      <p id="about"></p>
      <div id="problems" role="alert" hidden></div>
      <div class="bar">
        <button id="play" aria-label="Play">▶</button>
        <button id="back" aria-label="Previous action">‹</button>
        <input id="slider" type="range" min="0" aria-label="Action">
        <button id="next" aria-label="Next action">›</button>
        <select id="speed" aria-label="Speed"><option value="2">2 / s</option><option value="8" selected>8 / s</option>
          <option value="40">40 / s</option></select>
        <input id="filter" type="search" placeholder="Filter" aria-label="Filter">
        <select id="scope" aria-label="Search in"><option value="actions">in actions</option>
          <option value="changes">in changes</option><option value="states">in states</option></select>
        <label><input id="fold" type="checkbox" checked> fold repeats</label>
        <span id="count" role="status"></span>
      </div>
    </header>
    <main>
      <section id="timeline" aria-label="Timeline">
        <div id="list" tabindex="0" role="listbox" aria-label="Actions"><div id="rows" role="presentation"></div></div>
      </section>
      <section id="detail" aria-label="Selected action" tabindex="0">
        <h2 id="action"></h2>
        <div class="bar" id="tools">
          <button id="pin" aria-pressed="false">Pin</button>
          <button id="leave" aria-pressed="false">Leave out</button>
          <button id="raw" aria-pressed="false">Raw JSON</button>
          <button id="copy-action">Copy action</button>
          <button id="copy-state">Copy state</button>
          <button id="make-test" hidden>Test</button>
          <button id="export">Export</button>
          <button id="import">Import</button>
          <input id="file" type="file" accept=".json,.html,.jsonl" aria-label="Report to import" hidden>
          <span id="done" role="status"></span>
        </div>
        <div id="skip" role="status" hidden><p id="skip-what"></p>
          <code id="command"></code> <button id="copy-command">Copy command</button></div>
        <dl id="facts"></dl>
        <h3 id="changes-title">Changes</h3>
        <ul id="changes"></ul>
        <h3>Action</h3>
        <div id="payload" class="tree"></div>
        <h3>State after</h3>
        <div id="state" class="tree"></div>
        <section id="test-section" hidden><h3>Test</h3>
          <div class="bar"><label>from <input id="test-from" type="number" min="1"></label>
            <label>to <input id="test-to" type="number" min="1"></label> <button id="copy-test">Copy test</button></div>
          <pre id="test" tabindex="0"></pre></section>
      </section>
      <aside id="side" aria-label="Track and spans">
        <section id="map-section" hidden><h3>Track</h3><svg id="map" role="img" aria-label="Track"></svg></section>
        <section id="spans-section" hidden><h3>Spans</h3><svg id="spans" role="img" aria-label="Spans"></svg>
          <p id="spans-note" hidden></p>
          <p class="legend"><i class="pending"></i> pending <i class="settled"></i> settled
            <i class="rolledBack"></i> rolled back <i class="unknown"></i> unknown</p></section>
        <section><h3>Keys</h3><p class="keys"><kbd>j</kbd> <kbd>k</kbd> <kbd>↓</kbd> <kbd>↑</kbd> step ·
          <kbd>Enter</kbd> unfold · <kbd>/</kbd> filter · <kbd>Esc</kbd> all · <kbd>Space</kbd> play ·
          <kbd>p</kbd> pin · <kbd>x</kbd> leave out · <kbd>c</kbd> copy the command · <kbd>o</kbd> import</p></section>
      </aside>
    </main>
    <noscript>This page needs JavaScript. It contains its script and loads nothing else.</noscript>
    <script type="application/json" id="data">
    """
  }

  /// The HTML after the data.
  static let tail = """
    </script>
    <script>
    \(ReportScript.data)
    \(ReportScript.list)
    \(ReportScript.detail)
    \(ReportScript.side)
    \(ReportScript.start)
    </script>
    </body>
    </html>

    """

  /// The text with the special characters of HTML as entities. Characters that control a terminal, or the direction of
  /// text, are replaced, because the page may be printed on a terminal.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    // A character can be a `<` with a combining mark, so scalars are escaped.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;".unicodeScalars
      case "<": result += "&lt;".unicodeScalars
      case ">": result += "&gt;".unicodeScalars
      case "\"": result += "&quot;".unicodeScalars
      case "'": result += "&#39;".unicodeScalars
      default:
        let controls: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        result.append(controls.contains(scalar.properties.generalCategory) ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }
}
