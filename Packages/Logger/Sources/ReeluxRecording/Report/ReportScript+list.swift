/// The report's script, in three parts that run one after the other. It writes text nodes only, never markup.
enum ReportScript {
  /// The data, the list of actions with its filter, and the keys.
  static let list = #"""
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const rows = data.rows;
    const height = 40;
    const byId = (id) => document.getElementById(id);
    const list = byId("list"), holder = byId("rows"), filter = byId("filter");
    let shown = rows.map((_, index) => index);
    let selected = -1;
    const drawn = new Map();
    const searchable = rows.map((row) =>
      [row.action, row.name, row.file + ":" + row.line, row.function, row.info || ""].join("\n").toLowerCase());

    function element(tag, className, text) {
      const made = document.createElement(tag);
      if (className) made.className = className;
      if (text !== undefined) made.textContent = text;
      return made;
    }

    function makeRow(index, place) {
      const row = rows[index];
      const made = element("div", row.differs ? "row differs" : "row");
      made.setAttribute("role", "option");
      made.setAttribute("aria-selected", String(index === selected));
      made.dataset.index = index;
      made.style.top = place * height + "px";
      made.append(element("span", "number", String(index + 1)), element("b", "", row.action));
      made.append(element("small", "", row.time.slice(11, 23) + "  " + row.file + ":" + row.line + "  " + row.ms));
      made.addEventListener("click", () => select(index));
      return made;
    }

    /* Only the rows in sight, and a few around them, are in the document. */
    function drawRows() {
      const first = Math.max(0, Math.floor(list.scrollTop / height) - 10);
      const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + 10);
      for (const [place, made] of drawn) {
        if (place < first || place >= last) { made.remove(); drawn.delete(place); }
      }
      for (let place = first; place < last; place += 1) {
        if (drawn.has(place)) continue;
        const made = makeRow(shown[place], place);
        drawn.set(place, made);
        holder.append(made);
      }
    }

    function redraw() {
      for (const made of drawn.values()) made.remove();
      drawn.clear();
      holder.style.height = shown.length * height + "px";
      byId("count").textContent = shown.length === rows.length
        ? rows.length + " actions" : shown.length + " of " + rows.length + " actions";
      drawRows();
    }

    function applyFilter() {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      shown = [];
      searchable.forEach((text, index) => { if (words.every((word) => text.includes(word))) shown.push(index); });
      list.scrollTop = 0;
      redraw();
      if (shown.length && !shown.includes(selected)) select(shown[0]); else reveal();
    }

    function reveal() {
      const place = shown.indexOf(selected);
      if (place < 0) return;
      const top = place * height;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
      drawRows();
    }

    function select(index) {
      selected = index;
      for (const made of drawn.values()) {
        made.setAttribute("aria-selected", String(Number(made.dataset.index) === selected));
      }
      reveal();
      showDetail();
      showPosition();
    }

    function move(steps) {
      if (!shown.length) return;
      const place = shown.indexOf(selected);
      select(shown[Math.min(shown.length - 1, Math.max(0, place < 0 ? 0 : place + steps))]);
    }

    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target === filter) {
        if (event.key === "Escape") { filter.value = ""; applyFilter(); list.focus(); }
        if (event.key === "Enter" || event.key === "ArrowDown") { event.preventDefault(); list.focus(); }
        return;
      }
      const page = Math.max(1, Math.floor(list.clientHeight / height) - 1);
      const steps = {
        j: 1, ArrowDown: 1, ArrowRight: 1, k: -1, ArrowUp: -1, ArrowLeft: -1, PageDown: page, PageUp: -page,
        Home: -rows.length, End: rows.length,
      }[event.key];
      if (steps) { event.preventDefault(); move(steps); }
      if (event.key === "/") { event.preventDefault(); filter.focus(); filter.select(); }
      if (event.key === "Escape") { filter.value = ""; applyFilter(); }
    });
    list.addEventListener("scroll", drawRows, { passive: true });
    window.addEventListener("resize", drawRows);
    filter.addEventListener("input", applyFilter);
    """#
}
