extension ReportScript {
  /// The map, and the lanes of spans.
  static let side = #"""
    const namespace = "http://www.w3.org/2000/svg";
    function shape(tag, attributes, text) {
      const made = document.createElementNS(namespace, tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      if (text !== undefined) made.textContent = text;
      return made;
    }

    const here = shape("circle", { class: "here", r: 6 });
    const now = shape("line", { class: "now", y1: 0 });
    let projected = [], scale = 1;
    const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);

    /* Longitudes shrink with the cosine of the latitude, and a track across the antimeridian stays in one piece. */
    function drawMap() {
      projected = [];
      byId("map").replaceChildren();
      byId("map-section").hidden = !data.points.length;
      if (!data.points.length) return;
      const [, middle, reference] = data.points[0];
      const shrink = Math.max(0.01, Math.cos(middle * Math.PI / 180));
      const flat = (latitude, longitude) => {
        let east = longitude - reference;
        if (east > 180) east -= 360;
        if (east < -180) east += 360;
        return [east * shrink, -latitude];
      };
      const track = data.points.map(([number, latitude, longitude]) => [number, ...flat(latitude, longitude)]);
      const xs = track.map((point) => point[1]), ys = track.map((point) => point[2]);
      const wide = Math.max(most(xs) - least(xs), most(ys) - least(ys)) || 0.001;
      /* Only places near the track are drawn. Others would make the track too small. */
      const places = data.places.map(([name, latitude, longitude]) => [name, ...flat(latitude, longitude)])
        .filter(([, x, y]) => x > least(xs) - wide && x < most(xs) + wide && y > least(ys) - wide && y < most(ys) + wide);
      const allX = [...xs, ...places.map((place) => place[1])], allY = [...ys, ...places.map((place) => place[2])];
      const leftEdge = least(allX), top = least(allY), width = 400, edge = 24;
      const size = Math.max(most(allX) - leftEdge, (most(allY) - top)) || 0.001;
      const unit = (width - 2 * edge) / size;
      const project = (x, y) => [edge + (x - leftEdge) * unit, edge + (y - top) * unit];
      projected = track.map(([number, x, y]) => [number, ...project(x, y)]);
      const tall = Math.max(120, 2 * edge + (most(allY) - top) * unit + 20);
      const map = byId("map");
      map.setAttribute("viewBox", "0 0 " + width + " " + tall);
      map.append(shape("polyline", {
        class: "track", points: projected.map((point) => point[1].toFixed(1) + "," + point[2].toFixed(1)).join(" "),
      }));
      const name = (x, y, text) => map.append(shape("text", {
        x: x > width / 2 ? x - 9 : x + 9, y: y + 4, "text-anchor": x > width / 2 ? "end" : "start",
      }, text));
      for (const [title, x, y] of places) {
        const [px, py] = project(x, y);
        map.append(shape("rect", { class: "place", x: px - 4, y: py - 4, width: 8, height: 8 }));
        name(px, py, title);
      }
      const [first, last] = [projected[0], projected[projected.length - 1]];
      map.append(shape("circle", { class: "begin", cx: first[1], cy: first[2], r: 5 }));
      map.append(shape("circle", { class: "end", cx: last[1], cy: last[2], r: 5 }));
      const isLoop = Math.hypot(first[1] - last[1], first[2] - last[2]) < 14;
      name(first[1], first[2] - 10, isLoop ? "start and end" : "start");
      if (!isLoop) name(last[1], last[2] - 10, "end");
      /* A bar of 1, 2 or 5 times a power of ten metres, at most a third as wide as the map. */
      const metre = unit / 111_195;
      let length = 10 ** Math.floor(Math.log10(width / 3 / metre));
      for (const factor of [5, 2]) if (length * factor * metre <= width / 3) { length *= factor; break; }
      const bar = length * metre;
      map.append(shape("path", { class: "bar", d: `M${edge} ${tall - 14}v4h${bar}v-4` }));
      map.append(shape("text", { x: edge + bar + 6, y: tall - 8 }, length >= 1000 ? length / 1000 + " km" : length + " m"));
      map.append(here);
      map.setAttribute("aria-label", "Track of " + projected.length + " points");
    }

    const words = { pending: "pending", settled: "settled", rolledBack: "rolled back", unknown: "unknown" };
    function drawSpans() {
      const { lanes, spans } = data.spans;
      byId("spans").replaceChildren();
      byId("spans-section").hidden = !lanes.length;
      if (!lanes.length) return;
      const svg = byId("spans");
      const limit = 40, width = 400, begin = 8;
      const visible = Math.min(limit, lanes.length);
      byId("spans-note").hidden = lanes.length <= limit;
      if (lanes.length > limit) {
        byId("spans-note").textContent = limit + " of " + lanes.length + " lanes are drawn.";
      }
      const tall = visible * 30 + 30;
      svg.setAttribute("viewBox", "0 0 " + width + " " + tall);
      scale = (width - 2 * begin) / (rows.length + 1);
      for (let lane = 0; lane < visible; lane += 1) {
        svg.append(shape("text", { x: begin, y: lane * 30 + 14 }, lanes[lane]));
      }
      for (const [lane, kind, note, from, to] of spans) {
        if (lane >= visible) continue;
        const bar = shape("rect", {
          class: kind, x: begin + from * scale, y: lane * 30 + 18, height: 8,
          width: Math.max(2, (to - from) * scale), rx: 1,
        });
        bar.append(shape("title", {}, lanes[lane] + ": " + words[kind] + (note ? " (" + note + ")" : "")
          + ", from #" + Math.max(1, from) + " to #" + Math.min(rows.length, to)));
        bar.addEventListener("click", () => select(Math.max(0, Math.min(rows.length - 1, from - 1))));
        svg.append(bar);
      }
      for (let tick = 0; tick <= 4; tick += 1) {
        const index = Math.round((rows.length - 1) * tick / 4);
        svg.append(shape("text", {
          x: begin + (width - 2 * begin) * tick / 4, y: tall - 4,
          "text-anchor": tick === 0 ? "start" : tick === 4 ? "end" : "middle", class: "tick",
        }, "+" + seconds(times[index] || 0)));
      }
      now.setAttribute("y2", tall - 18);
      svg.append(now);
    }

    function showPosition() {
      if (projected.length) {
        let place = 0, end = projected.length;
        while (place < end) {
          const half = (place + end) >> 1;
          if (projected[half][0] <= selected + 1) place = half + 1; else end = half;
        }
        const [, x, y] = projected[Math.max(0, place - 1)];
        here.setAttribute("cx", x);
        here.setAttribute("cy", y);
      }
      now.setAttribute("x1", 8 + (selected + 1.5) * scale);
      now.setAttribute("x2", 8 + (selected + 1.5) * scale);
    }
    """#

  /// Keys and buttons. Then it shows the first action, or the one of the address.
  static let start = #"""
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target;
      if (target === filter) {
        if (event.key === "Escape") { filter.value = ""; applyFilter(); list.focus(); }
        if (event.key === "Enter" || event.key === "ArrowDown") { event.preventDefault(); list.focus(); }
        return;
      }
      if (target.matches("input, select, textarea")) return;
      if (event.key === "/") { event.preventDefault(); filter.focus(); filter.select(); return; }
      if (event.key === "Escape") { filter.value = ""; applyFilter(); list.focus(); return; }
      if (event.key === "j" || event.key === "k") { event.preventDefault(); move(event.key === "j" ? 1 : -1); return; }
      if (event.key === "p") return pin();
      if (event.key === "x") return leaveOut();
      if (event.key === "c") return copyCommand();
      if (event.key === "o") return byId("file").click();
      if (target !== list && target !== document.body) return;
      const page = Math.max(1, Math.floor(list.clientHeight / height) - 1);
      const steps = {
        ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -items.length, End: items.length,
      }[event.key];
      if (steps) { event.preventDefault(); move(steps); }
      const item = items[placeOf[selected]];
      const opens = { Enter: true, ArrowRight: !item?.isOpen, ArrowLeft: item?.isOpen }[event.key];
      if (opens && item?.turns) { event.preventDefault(); unfold(placeOf[selected]); }
      if (event.key === " ") { event.preventDefault(); play(timer === null); }
    });
    list.addEventListener("scroll", drawRows, { passive: true });
    window.addEventListener("resize", reveal);
    filter.addEventListener("input", applyFilter);
    byId("scope").addEventListener("change", applyFilter);
    byId("fold").addEventListener("change", () => { arrange(); redraw(); reveal(); });
    slider.addEventListener("input", () => select(Number(slider.value)));
    byId("play").addEventListener("click", () => play(timer === null));
    byId("speed").addEventListener("change", () => { if (timer !== null) play(true); });
    byId("back").addEventListener("click", () => select(Math.max(0, selected - 1)));
    byId("next").addEventListener("click", () => select(Math.min(rows.length - 1, selected + 1)));
    byId("pin").addEventListener("click", pin);
    byId("leave").addEventListener("click", leaveOut);
    byId("raw").addEventListener("click", () => {
      isRaw = !isRaw;
      byId("raw").setAttribute("aria-pressed", String(isRaw));
      showDetail();
    });
    byId("copy-action").addEventListener("click", () => copy(JSON.stringify(actionOf(selected)), "action"));
    byId("copy-state").addEventListener("click", () => copy(JSON.stringify(stateAfter(selected)), "state"));
    byId("copy-command").addEventListener("click", copyCommand);
    byId("export").addEventListener("click", exportData);
    byId("import").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", () => { importFile(byId("file").files[0]); byId("file").value = ""; });
    byId("make-test").addEventListener("click", () => {
      byId("test-section").hidden = false;
      byId("test-from").value = pinned < 0 ? selected + 1 : Math.min(pinned, selected) + 1;
      byId("test-to").value = pinned < 0 ? selected + 1 : Math.max(pinned, selected) + 1;
      showTest();
      byId("test-from").focus();
    });
    for (const id of ["test-from", "test-to"]) byId(id).addEventListener("input", showTest);
    byId("copy-test").addEventListener("click", () => copy(byId("test").textContent, "test"));
    window.addEventListener("hashchange", () => {
      const index = Number(location.hash.slice(1)) - 1;
      if (Number.isInteger(index) && index >= 0 && index < rows.length && index !== selected) select(index, true);
    });

    /* Shows the data from its beginning, or from the action of the address. */
    function show() {
      play(false);
      document.title = data.title;
      byId("title").textContent = data.title;
      byId("about").textContent = data.about.join(" · ");
      byId("problems").hidden = !data.problems.length;
      byId("problems").textContent = data.problems.slice(0, 3).join("\n\n")
        + (data.problems.length > 3 ? "\n\n… and " + (data.problems.length - 3) + " more" : "");
      byId("make-test").hidden = !data.test;
      for (const id of ["test-section", "skip"]) byId(id).hidden = true;
      slider.max = Math.max(0, rows.length - 1);
      shown = rows.map((_, index) => index);
      placeOf = new Int32Array(rows.length);
      filter.value = "";
      opened.clear();
      left.clear();
      openByPath.clear();
      pinned = -1;
      selected = -1;
      drawMap();
      drawSpans();
      arrange();
      list.scrollTop = 0;
      redraw();
      const asked = Number(location.hash.slice(1)) - 1;
      if (rows.length) {
        select(Number.isInteger(asked) && asked >= 0 && asked < rows.length ? asked : 0, true);
      } else {
        byId("action").textContent = data.problems.length ? "No action can be shown." : "The recording has no actions.";
        for (const id of ["facts", "changes", "payload", "state"]) byId(id).replaceChildren();
      }
      list.focus({ preventScroll: true });
    }

    take(JSON.parse(byId("data").textContent));
    show();
    """#
}
