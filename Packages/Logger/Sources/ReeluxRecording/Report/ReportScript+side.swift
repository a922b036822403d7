extension ReportScript {
  /// The map and the lanes of spans; then the first action is shown.
  static let side = #"""
    const namespace = "http://www.w3.org/2000/svg";
    function shape(tag, attributes, text) {
      const made = document.createElementNS(namespace, tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      if (text !== undefined) made.textContent = text;
      return made;
    }

    const here = shape("circle", { class: "here", r: 5 });
    const now = shape("line", { class: "now", y1: 0 });
    let projected = [], scale = 1;

    /* Longitudes shrink with the cosine of the latitude, and a track across the antimeridian stays in one piece. */
    function drawMap() {
      if (!data.points.length) return;
      byId("map-section").hidden = false;
      const [, middle, reference] = data.points[0];
      const shrink = Math.max(0.01, Math.cos(middle * Math.PI / 180));
      const flat = data.points.map(([number, latitude, longitude]) => {
        let east = longitude - reference;
        if (east > 180) east -= 360;
        if (east < -180) east += 360;
        return [number, east * shrink, -latitude];
      });
      const xs = flat.map((point) => point[1]), ys = flat.map((point) => point[2]);
      const least = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
      const most = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);
      const left = least(xs), top = least(ys);
      const size = Math.max(most(xs) - left, most(ys) - top) || 1;
      projected = flat.map(([number, x, y]) => [number, 10 + (x - left) / size * 280, 10 + (y - top) / size * 280]);
      const map = byId("map");
      const bottom = 20 + (most(ys) - top) / size * 280;
      map.setAttribute("viewBox", "0 0 300 " + Math.max(40, bottom));
      map.append(shape("polyline", {
        class: "track", points: projected.map((point) => point[1].toFixed(2) + "," + point[2].toFixed(2)).join(" "),
      }));
      map.append(here);
    }

    function drawSpans() {
      const { lanes, spans } = data.spans;
      if (!lanes.length) return;
      byId("spans-section").hidden = false;
      const svg = byId("spans");
      const visible = lanes.slice(0, 60);
      const tall = visible.length * 26 + 6;
      svg.setAttribute("viewBox", "0 0 300 " + tall);
      scale = 290 / (rows.length + 1);
      const place = new Map(visible.map((lane, index) => [lane, index]));
      for (const [lane, index] of place) svg.append(shape("text", { x: 5, y: index * 26 + 13 }, lane));
      for (const span of spans) {
        if (!place.has(span.lane)) continue;
        const bar = shape("rect", {
          class: span.kind, x: 5 + span.from * scale, y: place.get(span.lane) * 26 + 16, height: 8,
          width: Math.max(1.5, (span.to - span.from) * scale), rx: 1,
        });
        bar.append(shape("title", {}, span.lane + ": " + span.kind + (span.note ? " (" + span.note + ")" : "")));
        bar.addEventListener("click", () => select(Math.max(0, Math.min(rows.length - 1, span.from - 1))));
        svg.append(bar);
      }
      now.setAttribute("y2", tall);
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
      now.setAttribute("x1", 5 + (selected + 1.5) * scale);
      now.setAttribute("x2", 5 + (selected + 1.5) * scale);
    }

    drawMap();
    drawSpans();
    redraw();
    if (rows.length) select(0);
    list.focus({ preventScroll: true });
    """#
}
