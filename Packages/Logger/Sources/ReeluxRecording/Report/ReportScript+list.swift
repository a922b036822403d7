extension ReportScript {
  /// The list of actions: filter, folded repetitions, selection and playing.
  static let list = #"""
    const height = 44;
    const list = byId("list"), holder = byId("rows"), filter = byId("filter"), slider = byId("slider");
    let shown = [];
    /* An item of the list is one action or a repetition: { first, last, period, isOpen }, with positions in `shown`. */
    let items = [];
    let placeOf = new Int32Array(0);
    const opened = new Set();
    let selected = -1;
    const drawn = new Map();

    function element(tag, className, text) {
      const made = document.createElement(tag);
      if (className) made.className = className;
      if (text !== undefined) made.textContent = text;
      return made;
    }

    /* Finds one to three titles that are repeated at least three times. */
    function arrange() {
      items = [];
      placeOf.fill(-1);
      const folds = byId("fold").checked;
      const title = (place) => rows[shown[place]][0];
      let place = 0;
      while (place < shown.length) {
        let best = null;
        for (let period = 1; folds && period <= 3; period += 1) {
          let end = place + period;
          while (end < shown.length && title(end) === title(end - period)) end += 1;
          const turns = Math.floor((end - place) / period);
          if (turns >= 3 && (!best || turns * period > best.turns * best.period)) best = { turns, period };
        }
        if (!best) {
          placeOf[shown[place]] = items.length;
          items.push({ index: shown[place] });
          place += 1;
          continue;
        }
        const run = { index: shown[place], turns: best.turns, period: best.period, end: place + best.turns * best.period };
        run.isOpen = opened.has(run.index);
        if (!run.isOpen) for (let at = place; at < run.end; at += 1) placeOf[shown[at]] = items.length;
        items.push(run);
        if (run.isOpen) {
          for (let at = place; at < run.end; at += 1) {
            placeOf[shown[at]] = items.length;
            items.push({ index: shown[at], isInside: true });
          }
        }
        place = run.end;
      }
    }

    function makeRow(place) {
      const item = items[place], index = item.index;
      const made = element("div", "row" + (item.isInside ? " inside" : "") + (item.turns ? " run" : ""));
      if (differs(index)) made.classList.add("differs");
      if (left.has(index) || isLeftOut(index)) made.classList.add("left");
      made.id = "row-" + place;
      made.setAttribute("role", "option");
      made.setAttribute("aria-setsize", items.length);
      made.setAttribute("aria-posinset", place + 1);
      made.setAttribute("aria-selected", String(place === placeOf[selected]));
      made.style.top = place * height + "px";
      made.append(element("span", "number", String(index + 1)));
      if (item.turns) {
        const names = [...Array(item.period).keys()].map((step) => data.titles[rows[shown[shown.indexOf(index) + step]][0]]);
        made.append(element("b", "", names.join(", ") + " ×" + item.turns));
        made.append(element("small", "", (item.isOpen ? "▾ " : "▸ ") + item.turns * item.period + " actions"));
      } else {
        made.append(element("b", "", titleOf(index)));
        made.title = titleOf(index);
        const source = sourceOf(index);
        const outcome = isLeftOut(index) ? "left out  " : orphan(index) !== null ? "orphaned  " : "";
        made.append(element("small", "", outcome + "+" + seconds(times[index]) + "  " + source[0] + ":" + source[1]));
      }
      if (item.turns) made.setAttribute("aria-expanded", String(item.isOpen));
      made.addEventListener("click", () => {
        if (item.turns) unfold(place); else select(index);
        list.focus({ preventScroll: true });
      });
      return made;
    }

    function unfold(place) {
      const item = items[place];
      if (!item?.turns) return;
      if (opened.has(item.index)) opened.delete(item.index); else opened.add(item.index);
      arrange();
      redraw();
      select(item.index);
    }

    /* The document contains only the visible rows, and a few before and after them. */
    function drawRows() {
      const first = Math.max(0, Math.floor(list.scrollTop / height) - 10);
      const last = Math.min(items.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + 10);
      for (const [place, made] of drawn) {
        if (place < first || place >= last) { made.remove(); drawn.delete(place); }
      }
      for (let place = first; place < last; place += 1) {
        if (drawn.has(place)) continue;
        const made = makeRow(place);
        drawn.set(place, made);
        holder.append(made);
      }
    }

    function redraw() {
      for (const made of drawn.values()) made.remove();
      drawn.clear();
      holder.style.height = items.length * height + "px";
      byId("count").textContent = shown.length === rows.length
        ? rows.length + " actions" : shown.length + " of " + rows.length + " actions";
      drawRows();
    }

    /* The rows that contain every word in the action and its source, in its changes, or in the state after it. */
    function found(words, scope) {
      if (!words.length) return rows.map((_, index) => index);
      const result = [];
      let before = "";
      for (let index = 0; index < rows.length; index += 1) {
        let text;
        if (scope === "actions") {
          text = [titleOf(index), ...sourceOf(index), JSON.stringify(actionOf(index))].join("\n");
        } else if (scope === "changes") {
          text = rows[index][7] < 0 ? "" : JSON.stringify(patchOf(index));
        } else {
          if (rows[index][7] >= 0 || index === 0) before = JSON.stringify(stateAfter(index)).toLowerCase();
          text = before;
        }
        text = scope === "states" ? text : text.toLowerCase();
        if (words.every((word) => text.includes(word))) result.push(index);
      }
      return result;
    }

    function applyFilter() {
      shown = found(filter.value.toLowerCase().split(/\s+/).filter(Boolean), byId("scope").value);
      arrange();
      list.scrollTop = 0;
      redraw();
      if (shown.length && placeOf[selected] < 0) select(shown[0]); else reveal();
    }

    function reveal() {
      const place = placeOf[selected];
      if (place === undefined || place < 0) return drawRows();
      const top = place * height;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
      drawRows();
      for (const [at, made] of drawn) made.setAttribute("aria-selected", String(at === place));
      list.setAttribute("aria-activedescendant", "row-" + place);
    }

    function select(index, keepsAddress) {
      selected = index;
      slider.value = index;
      slider.setAttribute("aria-valuetext", "action " + (index + 1) + ", " + titleOf(index));
      if (!keepsAddress && location.hash !== "#" + (index + 1)) history.replaceState(null, "", "#" + (index + 1));
      reveal();
      showDetail();
      showPosition();
    }

    /* Selects the next or previous item. A folded repetition is one item. */
    function move(steps) {
      if (!items.length) return;
      const place = placeOf[selected];
      let next = Math.min(items.length - 1, Math.max(0, place === undefined || place < 0 ? 0 : place + steps));
      if (items[next].turns && items[next].isOpen) next = Math.min(items.length - 1, Math.max(0, next + Math.sign(steps || 1)));
      select(items[next].index);
    }

    let timer = null;
    function play(goes) {
      if (timer !== null) clearInterval(timer);
      timer = null;
      const isPlaying = goes && selected < rows.length - 1;
      byId("play").textContent = isPlaying ? "❚❚" : "▶";
      byId("play").setAttribute("aria-label", isPlaying ? "Stop" : "Play");
      if (!isPlaying) return;
      timer = setInterval(() => {
        if (selected >= rows.length - 1) return play(false);
        select(selected + 1);
      }, 1000 / Number(byId("speed").value));
    }
    """#
}
