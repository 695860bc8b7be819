// Plays a timeline: <figure class="timeline" data-trace="...">, whose still picture the build has drawn.
// The data are those of book/_ext/course_book/timeline_data.py. No library: the drawing is there already, and
// what is left, a slider, five buttons and a row of cells, the browser has.
(() => {
  const ICONS = {
    play: "M5 3l12 7-12 7z", pause: "M5 3h3.5v14H5zM11.5 3H15v14h-3.5z", back: "M14 3v14L5 10z", on: "M6 3v14l9-7z",
    last: "M4 3h2.5v14H4zM17 3v14l-9-7z", next: "M3 3v14l9-7zM13.5 3H16v14h-2.5z",
  };
  const WARP = 32, COLUMNS = 32, MOST_CELLS = 1024;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const warpOf = (thread) => Math.floor(thread / WARP);

  function make(tag, className, parent, attributes = {}) {
    const one = document.createElement(tag);
    if (className) one.className = className;
    Object.entries(attributes).forEach(([key, value]) => one.setAttribute(key, value));
    parent?.append(one);
    return one;
  }

  // Everything worth a stop, in the order of its steps; `turn` tells one warp's turn from the next.
  function momentsOf(data) {
    const moments = data.barriers.map(([at, line]) => ({ at, line, kind: "barrier" }));
    for (const [kind, runs] of Object.entries(data.marks))
      for (const [at, thread, index, count, dAt, dThread, dIndex] of runs)
        for (let i = 0; i < count; ++i)
          moments.push({ at: at + i * dAt, thread: thread + i * dThread, index: index + i * dIndex, kind });
    moments.sort((a, b) => a.at - b.at || (a.kind === "barrier") - (b.kind === "barrier"));
    let turn = 0;
    moments.forEach((one, i) => (one.turn = i && warpOf(one.thread) === warpOf(moments[i - 1].thread) ? turn : ++turn));
    return moments;
  }

  function element(data, index) {
    const places = [];
    for (const size of [...data.shape].reverse()) {
      places.unshift(`[${index % size}]`);
      index = Math.floor(index / size);
    }
    return data.array + places.join("");
  }

  function play(figure) {
    const data = JSON.parse(figure.dataset.trace);
    const moments = momentsOf(data);
    const races = new Map(data.races.map(([index, ...steps]) => [index, steps]));
    const byStep = new Map(moments.filter((one) => one.kind !== "barrier").map((one) => [one.at, one]));
    const does = { read: "reads", write: "writes", atomic: "updates" };
    const did = { read: "has read", write: "has written", atomic: "has updated" };
    const plot = figure.querySelector(".tl-plot"), svg = plot.querySelector("svg");
    const hue = (warp) => (250 + (360 * warp) / plot.querySelectorAll(".tl-label").length) % 360;
    let now = moments.length, frame = 0; // how many moments have passed

    const later = make("div", "tl-later", plot, { "aria-hidden": "true" });
    plot.querySelectorAll(".tl-label b").forEach((label, warp) =>
      make("i", "kf-key kf-key-who", label, { style: `--hue:${hue(warp)}`, "aria-hidden": "true" }));
    const root = make("div", "tl-player");
    plot.after(root);
    const bar = make("div", "tl-controls", root, { role: "group", "aria-label": "Player" });
    const button = (icon, label, act) => {
      const one = make("button", "", bar, { type: "button", "aria-label": label, title: label });
      one.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
      one.addEventListener("click", act);
      return one;
    };
    button("last", "Back to the turn before", () => go(turnBefore()));
    button("back", "One access back", () => go(now - 1));
    const player = button("play", "Play", () => (frame ? stop() : start()));
    button("on", "One access on", () => go(now + 1));
    button("next", "On to the next turn", () => go(turnAfter()));
    if (data.races.length) {
      const jump = make("button", "tl-to-race", bar, { type: "button" });
      jump.textContent = "To the race";
      jump.addEventListener("click", () => go(moments.findIndex((one) => one.at === data.races[0][2]) + 1));
    }
    const slider = make("input", "", bar, { type: "range", min: 0, max: moments.length, "aria-label": "Time" });
    slider.addEventListener("input", () => go(Number(slider.value), "off"));
    const words = make("p", "tl-now", root, { role: "status" });
    const cells = cellsOf(root);

    function cellsOf(parent) {
      const size = data.shape.reduce((a, b) => a * b, 1), row = data.shape.at(-1);
      if (size > MOST_CELLS) return [];
      const label = `The elements of ${data.array}, each with the warps that wrote it and that read it last`;
      const grid = make("div", "tl-cells", parent, { role: "img", "aria-label": label });
      grid.style.setProperty("--columns", row <= COLUMNS ? row : COLUMNS);
      grid.addEventListener("pointerover", ({ target }) => target.says && (target.title = target.says));
      grid.addEventListener("click", ({ target }) => target.says && say(target.says, "polite"));
      const all = Array.from({ length: size }, () => make("i", "", grid));
      const key = make("ul", "tl-legend", parent);
      const keys = [
        ["kf-key-upper", `an element of ${data.array}: the warp that wrote it last`],
        ["kf-key-lower", "the warp that read it last"],
        ["tl-key-racing", "race: nothing orders two accesses"],
      ];
      keys.slice(0, data.races.length ? 3 : 2).forEach(([look, text]) => {
        const item = make("li", "", key);
        make("i", `kf-key ${look}`, item);
        item.append(text);
      });
      return all;
    }

    const turnBefore = () => {
      let i = now - 1;
      while (i > 0 && moments[i - 1].turn === moments[now - 1].turn) --i;
      return i;
    };
    const turnAfter = () => {
      let i = now;
      while (i < moments.length && moments[i].turn === moments[now]?.turn) ++i;
      return i;
    };

    function say(text, live) {
      words.setAttribute("aria-live", live); // the slider says it by itself; nobody wants to hear a film
      words.textContent = text;
    }

    // Who wrote and who read each element last, after what has passed.
    function lastOf() {
      const last = new Map();
      moments.slice(0, now).forEach(({ kind, thread, index }) => {
        if (kind === "barrier") return;
        if (!last.has(index)) last.set(index, {});
        if (kind !== "read") last.get(index).write = thread;
        if (kind !== "write") last.get(index).read = thread;
      });
      return last;
    }

    function sentence(moment, state, race) {
      if (!moment) return "Nothing has happened yet.";
      const { at, kind, thread, index, line } = moment;
      if (kind === "barrier") return `Step ${at}: all threads have arrived at line ${line}, and the barrier opens.`;
      const { write } = state.get(index);
      const whose = write === undefined ? ", which nobody has written" : `, which thread ${write} has written`;
      const text = `Step ${at}: thread ${thread} of warp ${warpOf(thread)} ${does[kind]} ${element(data, index)}`;
      const other = race ? ` Race: thread ${race.thread} ${did[race.kind]} it, and no barrier stands between.` : "";
      return `${text}${kind === "read" ? whose : ""}.${other}`;
    }

    function show(live) {
      const state = lastOf(), moment = moments[now - 1], end = now === moments.length;
      const raced = (index) => Boolean(moment && races.has(index) && races.get(index)[1] <= moment.at);
      const race = moment && races.get(moment.index)?.[1] === moment.at && byStep.get(races.get(moment.index)[0]);
      say(live ? sentence(moment, state, race || undefined) : "Play it, or drag the slider.", live ?? "off");
      words.classList.toggle("tl-racing", Boolean(race));
      later.style.setProperty("--at", `${(100 * (end ? data.steps : (moment?.at ?? -1) + 1)) / data.steps}%`);
      later.hidden = end;
      cells.forEach((cell, index) => {
        const { write, read } = state.get(index) ?? {};
        cell.says = `${element(data, index)}: ${write === undefined ? "not written" : `written by thread ${write}`}, `
          + `${read === undefined ? "not read" : `last read by thread ${read}`}.${raced(index) ? " A race." : ""}`;
        const look = `${raced(index) ? "tl-raced" : ""} ${moment?.index === index && !end ? "tl-touched" : ""}`;
        if (cell.className !== look) cell.className = look;
        [write, read].forEach((who, i) => {
          const color = who === undefined ? "transparent" : `oklch(var(--fig-tone) ${hue(warpOf(who))})`;
          if (cell.colors?.[i] === color) return; // most cells stay as they are
          (cell.colors ??= [])[i] = color;
          cell.style.setProperty(["--wrote", "--read"][i], color);
        });
      });
      slider.value = now;
      slider.setAttribute("aria-valuetext", words.textContent);
    }

    function go(to, live = "polite") {
      stop();
      now = Math.max(0, Math.min(moments.length, to));
      show(live);
    }

    function face(icon, label) {
      player.querySelector("path").setAttribute("d", ICONS[icon]);
      player.setAttribute("aria-label", (player.title = label));
    }

    function stop() {
      cancelAnimationFrame(frame);
      frame = 0;
      face("play", "Play");
    }

    // A whole run takes 6 to 20 seconds. Who wants little motion sees one turn after the other, at rest in between.
    function start() {
      if (now === moments.length) now = 0;
      face("pause", "Pause");
      const pace = moments.length / Math.min(20000, Math.max(6000, 40 * moments.length));
      let since;
      const tick = (time) => {
        since ??= time;
        const before = now;
        if (!still.matches) now = Math.min(moments.length, now + Math.floor((time - since) * pace));
        else if (time - since >= 1200) now = turnAfter();
        if (now !== before) {
          since = still.matches ? time : since + (now - before) / pace;
          show("off");
        }
        frame = requestAnimationFrame(tick);
        if (now === moments.length) stop();
      };
      frame = requestAnimationFrame(tick);
      show("off");
    }

    // A finger on the drawing is a finger on the slider.
    svg.addEventListener("pointermove", (event) => event.buttons && seek(event));
    svg.addEventListener("pointerdown", seek);
    function seek(event) {
      const box = svg.getBoundingClientRect();
      const step = ((event.clientX - box.left) / box.width) * data.steps;
      go(moments.filter((one) => one.at < step).length, "off");
    }

    show();
  }

  document.querySelectorAll("figure.timeline[data-trace]").forEach(play);
})();
