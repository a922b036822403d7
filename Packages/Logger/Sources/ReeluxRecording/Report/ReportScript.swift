/// The script of a report, in parts that run one after the other. It shows texts of the data only as text nodes or
/// attributes, never as markup.
enum ReportScript {
  /// The data: rows, actions, and the state after each, which is computed from patches.
  static let data = #"""
    "use strict";
    const byId = (id) => document.getElementById(id);
    let data, rows, times, initial, checkpoints, known;
    const isBig = (value) => value !== null && typeof value === "object" && JSON.isRawJSON?.(value) === true;

    /* The case of an enum without payload. As JSON it is its name. */
    class Case {
      constructor(name) { this.name = name; }
      toJSON() { return this.name; }
    }
    const isLeaf = (value) => value === null || typeof value !== "object" || value instanceof Case || isBig(value);

    /* The members of an object in the order of the leaves: by the bytes of their names. JavaScript puts names like 10 first. */
    const orders = new WeakMap();
    function inOrder(shape) {
      let order = orders.get(shape);
      if (!order) orders.set(shape, order = Object.entries(shape).sort(([a], [b]) => precedes(a, b) ? -1 : 1));
      return order;
    }
    function precedes(a, b) {
      let place = 0;
      while (place < a.length && a[place] === b[place]) place += 1;
      /* A surrogate is part of a character that comes after all others. */
      const rank = (text) => place < text.length ? text.charCodeAt(place) + (/[\ud800-\udfff]/.test(text[place]) ? 0x10000 : 0) : -1;
      return rank(a) < rank(b);
    }

    /* The value of a shape and its leaves. A number that JavaScript would round is written as a list with its text. */
    function filled(number, leaves, before = []) {
      let place = 0;
      /* A leaf of the previous list of leaves is written as a list with its number. */
      const at = (index) => index < before.length ? before[index] : leaves[index - before.length];
      const fill = (shape) => {
        if (shape === 0 || shape === 1) {
          let leaf = leaves[place++];
          if (Array.isArray(leaf) && typeof leaf[0] === "number") leaf = at(leaf[0]);
          if (shape === 1) return new Case(leaf);
          return Array.isArray(leaf) ? (JSON.rawJSON ? JSON.rawJSON(leaf[0]) : Number(leaf[0])) : leaf;
        }
        if (Array.isArray(shape)) return shape.map(fill);
        return Object.fromEntries(inOrder(shape).map(([name, part]) => [name, fill(part)]));
      };
      return fill(data.shapes[number]);
    }
    const titleOf = (index) => data.titles[rows[index][0]];
    const sourceOf = (index) => data.sources[rows[index][1]];
    const actionOf = (index) => filled(rows[index][5], rows[index][4]);
    const patchOf = (index) => rows[index][7] < 0 ? null : filled(rows[index][7], rows[index][6], rows[index][4]);
    const differs = (index) => rows[index][8] === 1;
    const isLeftOut = (index) => rows[index][8] === 2;
    /* The reason why a response is orphaned, in a run from which other actions were left out. */
    const orphan = (index) => typeof rows[index][8] === "string" ? rows[index][8] : null;

    /* Uses the given data, and throws if they are not those of a report. */
    function take(given) {
      if (given?.format !== "reelux-report" || given.schema !== 1) throw new Error("it is not a report of this version");
      const lists = ["about", "problems", "places", "points", "shapes", "titles", "sources", "rows"];
      if (!lists.every((name) => Array.isArray(given[name])) || !given.spans) throw new Error("parts of the report are missing");
      data = given;
      rows = given.rows;
      try {
        times = new Float64Array(rows.length);
        rows.reduce((time, row, index) => times[index] = time + row[2], 0);
        initial = filled(data.state[1], data.state[0]);
        checkpoints = new Map([[-1, initial]]);
        known = { index: -1, state: initial };
        /* Looks for titles, sources, actions and states that cannot be read, before they are shown. */
        for (let index = 0; index < rows.length; index += 1) if (!titleOf(index) || !sourceOf(index)) throw null;
        for (const index of [0, rows.length - 1]) if (rows[index]) { actionOf(index); stateAfter(Math.min(index, 100)); }
      } catch {
        throw new Error("its actions cannot be read");
      }
    }

    /* Returns the patched value. It shares the parts that the patch does not change. */
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
        const patch = patchOf(place);
        if (patch) state = patched(state, patch);
        if ((place + 1) % 100 === 0) checkpoints.set(place, state);
      }
      known = { index, state };
      return state;
    }

    /* The changes between two values: [kind, path, old, new], at most `limit`. */
    function changes(before, after, limit, path = "", found = []) {
      if (before === after || found.length >= limit) return found;
      const note = (...change) => { if (found.length < limit) found.push(change); };
      if (isLeaf(before) || isLeaf(after) || Array.isArray(before) !== Array.isArray(after)) {
        if (textOf(before) !== textOf(after)) note("changed", path, before, after);
        return found;
      }
      if (Array.isArray(before)) {
        const texts = (list) => list.map((value) => JSON.stringify(value));
        const old = texts(before), now = texts(after);
        let head = 0, tail = 0;
        const least = Math.min(old.length, now.length);
        while (head < least && old[head] === now[head]) head += 1;
        while (tail < least - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
        const removed = old.length - tail - head, added = now.length - tail - head;
        if (removed === added) {
          for (let place = head; place < head + removed; place += 1)
            changes(before[place], after[place], limit, path + label(after[place], place), found);
        } else {
          for (let place = head; place < head + removed; place += 1) note("removed", path, before[place]);
          for (let place = head; place < head + added; place += 1) note("added", path, undefined, after[place]);
        }
        return found;
      }
      const [oldNames, newNames] = [Object.keys(before), Object.keys(after)];
      if (oldNames.length === 1 && newNames.length === 1 && oldNames[0] !== newNames[0]) {
        note("changed", path, before, after);
        return found;
      }
      for (const name of new Set([...oldNames, ...newNames])) {
        const place = path ? path + "." + name : name;
        if (!Object.hasOwn(after, name)) note("removed", place, before[name]);
        else if (!Object.hasOwn(before, name)) note("added", place, undefined, after[name]);
        else changes(before[name], after[name], limit, place, found);
      }
      return found;
    }
    const idText = (id) => typeof id === "string" ? id : textOf(id);
    const label = (value, place) => "[" + (value?.id !== undefined ? idText(value.id) : place) + "]";

    /* A short text of a value, as Swift would write it. */
    function brief(value) {
      if (value === undefined) return "";
      const text = textOf(plain(value));
      return text.length > 200 ? text.slice(0, 200) + "…" : text;
    }
    function textOf(value) {
      if (value === null) return "nil";
      if (value instanceof Case) return "." + value.name;
      if (isLeaf(value)) return JSON.stringify(value);
      if (Array.isArray(value)) return "[" + value.slice(0, 20).map(textOf).join(", ") + (value.length > 20 ? ", …" : "") + "]";
      const entries = Object.entries(value);
      const fields = (list) => list.map(([name, part]) => name + ": " + textOf(part)).join(", ");
      if (entries.length === 1) {
        const [name, part] = entries[0];
        const isFields = !isLeaf(part) && !Array.isArray(part);
        return "." + name + "(" + (isFields ? fields(Object.entries(part)) : textOf(part)) + ")";
      }
      return "(" + fields(entries) + ")";
    }

    /* Enum cases as the compiler encodes them, {"ready":{}} and {"failed":{"_0":…}}, without their wrapping. */
    function plain(value) {
      if (isLeaf(value)) return value;
      if (Array.isArray(value)) return value.map(plain);
      const entries = Object.entries(value);
      if (entries.length === 1 && !isLeaf(entries[0][1]) && !Array.isArray(entries[0][1])) {
        const payload = entries[0][1], names = Object.keys(payload);
        if (names.length === 0) return new Case(entries[0][0]);
        if (names.length === 1 && names[0] === "_0") return { [entries[0][0]]: plain(payload._0) };
      }
      return Object.fromEntries(entries.map(([name, part]) => [name, plain(part)]));
    }

    function seconds(micros) {
      if (micros < 1000) return micros + " µs";
      if (micros < 1e6) return (micros / 1e3).toFixed(1) + " ms";
      if (micros < 6e7) return (micros / 1e6).toFixed(2) + " s";
      return Math.floor(micros / 6e7) + " min " + Math.floor(micros / 1e6 % 60) + " s";
    }
    """#
}
