extension ReportScript {
  /// The state after each action, computed from patches, and the selected action.
  static let detail = #"""
    const checkpoints = new Map([[-1, data.state]]);
    let known = { index: -1, state: data.state };

    /* Makes a new value that shares everything that the patch leaves alone. */
    function patched(value, patch) {
      if ("set" in patch) return patch.set;
      if (patch.cut) {
        const [place, count, added] = patch.cut;
        return [...value.slice(0, place), ...added, ...value.slice(place + count)];
      }
      if (patch.at) {
        const copy = value.slice();
        for (const [place, inner] of patch.at) copy[place] = patched(copy[place], inner);
        return copy;
      }
      const copy = new Map(Object.entries(value));
      for (const name of patch.out || []) copy.delete(name);
      for (const [name, inner] of Object.entries(patch.in)) copy.set(name, patched(copy.get(name), inner));
      return Object.fromEntries(copy);
    }

    function stateAfter(index) {
      let start = known;
      if (known.index > index || index - known.index > 200) {
        let place = index - ((index + 1) % 100);
        while (!checkpoints.has(place)) place -= 100;
        if (known.index > index || place > known.index) start = { index: place, state: checkpoints.get(place) };
      }
      let state = start.state;
      for (let place = start.index + 1; place <= index; place += 1) {
        if (rows[place].patch) state = patched(state, rows[place].patch);
        if ((place + 1) % 100 === 0) checkpoints.set(place, state);
      }
      known = { index, state };
      return state;
    }

    function tree(name, value, before, depth) {
      const label = name === null ? [] : [element("span", "name", name), document.createTextNode(": ")];
      const touched = before !== value && JSON.stringify(before) !== JSON.stringify(value);
      if (value === null || typeof value !== "object") {
        const line = element("div", touched ? "touched" : "");
        line.append(...label, document.createTextNode(JSON.stringify(value)));
        return line;
      }
      const entries = Object.entries(value);
      const made = element("details");
      const summary = element("summary", touched ? "touched" : "");
      const size = Array.isArray(value) ? "[" + entries.length + "]" : "{" + entries.length + "}";
      summary.append(...label, document.createTextNode(size));
      made.append(summary);
      let isFilled = false;
      const fill = () => {
        if (isFilled) return;
        isFilled = true;
        const inner = before !== null && typeof before === "object" ? before : {};
        entries.slice(0, 500).forEach(([key, part]) =>
          made.append(tree(key, part, Object.hasOwn(inner, key) ? inner[key] : undefined, depth + 1)));
        if (entries.length > 500) made.append(element("div", "", "… " + (entries.length - 500) + " more"));
      };
      made.addEventListener("toggle", () => { if (made.open) fill(); });
      if (depth === 0 || (touched && depth < 4)) { fill(); made.open = true; }
      return made;
    }

    const signs = { added: "+ ", removed: "- ", changed: "~ ", moved: "⇄ " };

    function changeLine([kind, path, old, now]) {
      const place = path ? path + " " : "";
      const text = kind === "added" ? place + now : kind === "removed" ? place + old
        : place + (kind === "moved" ? "moved " : "") + old + " → " + now;
      return element("li", kind, signs[kind] + text);
    }

    function showDetail() {
      const row = rows[selected];
      if (!row) return;
      byId("action").textContent = "#" + (selected + 1) + " " + row.action;
      const facts = [["source", row.file + ":" + row.line + " " + row.function], ["time", row.time],
        ["duration", row.ms]];
      if (row.info) facts.push(["info", row.info]);
      byId("facts").replaceChildren(...facts.flatMap(([name, value]) =>
        [element("dt", "", name), element("dd", "", value)]));
      const changes = (row.changes || []).map(changeLine);
      if (row.truncated) changes.push(element("li", "", "…"));
      if (!changes.length) changes.push(element("li", "", "nothing"));
      byId("changes").replaceChildren(...changes);
      const before = stateAfter(selected - 1);
      byId("state").replaceChildren(tree(null, stateAfter(selected), before, 0));
    }

    byId("about").textContent = data.about.join(" · ");
    byId("problems").textContent = data.differences.slice(0, 3).join("\n\n");
    """#
}
