extension ReportScript {
  /// The selected action: facts, changes, payload and state, with the buttons to pin, to copy and to make a test.
  static let detail = #"""
    let pinned = -1, isRaw = false;
    const left = new Set();
    /* The reader's choices for open and closed nodes, by path. They apply to each selected action. */
    const openByPath = new Map();

    function tree(name, value, before, depth, opens, path) {
      const label = name === null ? [] : [element("span", "name", name), document.createTextNode(": ")];
      const touched = before !== value && JSON.stringify(before) !== JSON.stringify(value);
      if (isLeaf(value)) {
        const line = element("div", touched ? "touched" : "");
        line.append(...label, document.createTextNode(value === null ? "nil" : textOf(value)));
        return line;
      }
      const entries = Object.entries(value);
      if (!entries.length) {
        const line = element("div", touched ? "touched" : "");
        line.append(...label, document.createTextNode(Array.isArray(value) ? "none" : "{}"));
        return line;
      }
      const made = element("details");
      const summary = element("summary", touched ? "touched" : "");
      summary.append(...label, element("span", "faint", Array.isArray(value)
        ? entries.length + (entries.length === 1 ? " element" : " elements") : entries.map(([key]) => key).join(", ")));
      made.append(summary);
      summary.addEventListener("click", () => openByPath.set(path, !made.open));
      let isFilled = false;
      const fill = () => {
        if (isFilled) return;
        isFilled = true;
        const inner = before !== null && typeof before === "object" ? before : {};
        entries.slice(0, 500).forEach(([key, part]) =>
          made.append(tree(Array.isArray(value) && part?.id !== undefined ? key + " " + idText(part.id) : key, part,
            Object.hasOwn(inner, key) ? inner[key] : undefined, depth + 1, opens, path + "/" + key)));
        if (entries.length > 500) made.append(element("div", "", "… " + (entries.length - 500) + " more"));
      };
      made.addEventListener("toggle", () => { if (made.open) fill(); });
      const isShown = depth === 0 || (touched && depth < 4) || (before === value && depth < opens);
      if (openByPath.get(path) ?? isShown) { fill(); made.open = true; }
      return made;
    }

    const signs = { added: "+ ", removed: "- ", changed: "~ " };
    function changeLine([kind, path, old, now]) {
      const place = path ? path + " " : "";
      const text = kind === "added" ? place + brief(now) : kind === "removed" ? place + brief(old)
        : place + brief(old) + " → " + brief(now);
      const line = element("li", kind, signs[kind]);
      line.append(element("span", "", text));
      return line;
    }

    function showTree(id, value, before, opens) {
      const shown = plain(value), holder = byId(id), hadFocus = holder.contains(document.activeElement);
      holder.replaceChildren(isRaw
        ? element("pre", "", JSON.stringify(value, null, 2))
        : tree(null, shown, before === value ? shown : plain(before), 0, opens, id));
      /* The element with the focus was replaced. Its container gets the focus, so that the keys still work. */
      if (hadFocus) byId("detail").focus({ preventScroll: true });
    }

    function showDetail() {
      const row = rows[selected];
      if (!row) return;
      byId("action").textContent = "#" + (selected + 1) + " " + titleOf(selected);
      const [file, line, name, info] = sourceOf(selected);
      const facts = [["source", file + ":" + line + " " + name],
        ["time", "+" + seconds(times[selected]) + " · " + new Date(data.began + times[selected] / 1e3).toISOString()],
        ["since last", seconds(row[2])], ["duration", seconds(Math.round(row[3] / 100) / 10)]];
      if (info) facts.push(["info", info]);
      if (isLeftOut(selected)) facts.push(["outcome", "left out of this run"]);
      if (orphan(selected) !== null) facts.push(["outcome", "orphaned: " + orphan(selected)]);
      if (differs(selected)) facts.push(["state", "differs from the recorded one"]);
      byId("facts").replaceChildren(...facts.flatMap(([name, value]) =>
        [element("dt", "", name), element("dd", "", value)]));
      const after = stateAfter(selected);
      const before = pinned < 0 ? stateAfter(selected - 1) : stateAfter(pinned);
      byId("changes-title").textContent = pinned < 0 ? "Changes" : "Changes since #" + (pinned + 1) + " (pinned)";
      const limit = 200, found = changes(plain(before), plain(after), limit + 1);
      const lines = found.slice(0, limit).map(changeLine);
      if (found.length > limit) lines.push(element("li", "", "…"));
      if (!lines.length) lines.push(element("li", "", "nothing"));
      byId("changes").replaceChildren(...lines);
      const action = actionOf(selected);
      showTree("payload", action, action, 6);
      showTree("state", after, before, 0);
      byId("pin").setAttribute("aria-pressed", String(pinned === selected));
      byId("leave").setAttribute("aria-pressed", String(left.has(selected)));
      if (!byId("test-section").hidden) showTest();
    }

    function pin() {
      pinned = pinned === selected ? -1 : selected;
      showDetail();
    }

    /* The app's reducer is not in the page. So the page shows a command that makes the page of a run without the actions. */
    function leaveOut() {
      if (left.has(selected)) left.delete(selected); else left.add(selected);
      byId("skip").hidden = !left.size;
      byId("skip-what").textContent = "The states here are those of the whole run. To make the page of the run without "
        + (left.size === 1 ? "this action" : "these " + left.size + " actions") + ", use:";
      byId("command").textContent = data.skip ? data.skip + ranges() : "RecordingReport(…, whatIf: ReportWhatIf(skipping: [" + [...left].map((index) => index + 1).sort((a, b) => a - b).join(", ") + "]))";
      redraw();
      reveal();
      showDetail();
    }

    /* The numbers of the actions that are left out, such as 3,5..8. */
    function ranges() {
      const found = [];
      for (const number of [...left].sort((a, b) => a - b).map((index) => index + 1)) {
        const last = found[found.length - 1];
        if (last && last[1] === number - 1) last[1] = number; else found.push([number, number]);
      }
      return found.map(([first, last]) => first === last ? String(first) : first + ".." + last).join(",");
    }

    function copyCommand() {
      if (left.size) copy(byId("command").textContent, "command");
    }

    function copy(text, what) {
      const focused = document.activeElement, area = element("textarea", "", text);
      document.body.append(area);
      area.select();
      const isDone = document.execCommand("copy");
      area.remove();
      (focused === document.body ? list : focused).focus({ preventScroll: true });
      byId("done").textContent = isDone ? what + " copied" : "not copied";
    }

    /* A raw string of Swift. A number sign that would end it, or begin an escape, is written as an escape of JSON. */
    function literal(value) {
      const text = JSON.stringify(value).replace(/[<>&\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
        (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
      return '#"' + text.replace(/(["\\])#/g, "$1\\u0023") + '"#';
    }

    const oneLine = (text) => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, " ");

    function showTest() {
      const from = Math.min(rows.length, Math.max(1, Number(byId("test-from").value) || 1));
      const to = Math.min(rows.length, Math.max(from, Number(byId("test-to").value) || from));
      const lines = ["// Actions " + from + " to " + to + " of a recording of " + oneLine(data.about[0]) + ".",
        "import ReeluxRecording", "import ReeluxTesting", "import Testing", "", ...data.test.imports, "",
        "@Test func recordedActions" + from + "To" + to + "() async throws {", "  let store = TestStore(",
        "    initialState: try RecordedJSON.value(" + literal(stateAfter(from - 2)) + ", as: " + data.test.state + ".self),",
        "    reducer: " + data.test.reducer + ")"];
      /* The compiler's time and memory grow much faster than the length of an async function. */
      const length = \#(GeneratedTest.partLength), hasParts = to - from >= length, indent = hasParts ? "    " : "  ";
      for (let index = from - 1; index < to; index += 1) {
        const place = (index - from + 1) % length, isFirst = hasParts && place === 0;
        const part = "actions" + (index + 1) + "To" + Math.min(to, index + length) + "()";
        lines.push("", ...(isFirst ? ["  try await " + part, "  func " + part + " async throws {"] : []));
        const patch = patchOf(index);
        lines.push(indent + "// " + (index + 1) + "  " + titleOf(index));
        lines.push(indent + "await store.send(try RecordedJSON.value(" + literal(actionOf(index)) + "))" + (patch ? " {" : ""));
        if (patch) lines.push(indent + "  try RecordedJSON.change(&$0, by: " + literal(patch) + ")", indent + "}");
        if (hasParts && (place === length - 1 || index === to - 1)) lines.push("  }");
      }
      byId("test").textContent = lines.join("\n") + "\n}\n";
    }

    /* All data of the page as a file, which Import reads. */
    function exportData() {
      const link = element("a");
      link.href = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: "application/json" }));
      link.download = data.title.replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^-+|-+$/g, "") + ".report.json";
      link.click();
      URL.revokeObjectURL(link.href);
      byId("done").textContent = "exported";
    }

    /* The data of an exported file or of another page. Nothing in it is run. */
    function reportIn(text, name) {
      const begin = text.indexOf('id="data">');
      if (/^\s*<!doctype html>/i.test(text) && begin >= 0) {
        const from = begin + 'id="data">'.length;
        text = text.slice(from, text.indexOf("<" + "/script>", from));
      }
      let given;
      try { given = JSON.parse(text); } catch {
        let first;
        try { first = JSON.parse(text.slice(0, text.indexOf("\n"))); } catch { throw new Error("it is not JSON"); }
        if (first?.format !== "reelux-recording") throw new Error("it is not a report");
        throw new Error("it is a recording, and its states come from the app's reducer. Make its page: "
          + (data.remake ? data.remake + shellWord(name) : "RecordingReport"));
      }
      return given;
    }

    /* The name of a file as one word of a command line. */
    function shellWord(name) {
      const path = name.startsWith("-") ? "./" + name : name;
      return /^[\w.\/+=:@%-]+$/.test(path) ? path : "'" + path.replaceAll("'", "'\\''") + "'";
    }

    async function importFile(file) {
      if (!file) return;
      const old = data;
      try {
        take(reportIn(await file.text(), file.name));
        show();
        byId("done").textContent = file.name + " is shown";
      } catch (error) {
        if (data !== old) { take(old); show(); }
        byId("done").textContent = file.name + " cannot be shown: " + error.message;
      }
    }
    """#
}
