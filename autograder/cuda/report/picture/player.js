// Plays the pictures that are drawn already: <div class="tl-picture" data-trace="...">, whose data are those of
// data.py, and <div data-moments="...">, a figure of one request of a warp. No library: what is left,
// a slider, five buttons and a row of cells, the browser has.
(() => {
  const ICONS = {
    play: "M5 3l12 7-12 7z", pause: "M5 3h3.5v14H5zM11.5 3H15v14h-3.5z", back: "M14 3v14L5 10z", on: "M6 3v14l9-7z",
    last: "M4 3h2.5v14H4zM17 3v14l-9-7z", next: "M3 3v14l9-7zM13.5 3H16v14h-2.5z",
  };
  const WARP = 32, BLOCK = 1024, COLUMNS = 32, MOST_CELLS = 1024;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const warpOf = (thread) => Math.floor(thread / WARP);
  const does = { read: "reads", write: "writes", atomic: "updates" };
  const did = { read: "has read", write: "has written", atomic: "has updated" };

  function make(tag, className, parent, attributes = {}) {
    const one = document.createElement(tag);
    if (className) one.className = className;
    Object.entries(attributes).forEach(([key, value]) => one.setAttribute(key, value));
    parent?.append(one);
    return one;
  }

  // The controls of a film, which has `count` moments; `turn(i)` tells one turn from the next, `show(now)` draws what
  // has passed after `now` moments and returns what to say of the last one, `pace` is milliseconds a moment.
  function controls(root, film) {
    const bar = make("div", "tl-controls", root, { role: "group", "aria-label": "Player" });
    const button = (icon, label, act) => {
      const one = make("button", "", bar, { type: "button", "aria-label": label, title: label });
      one.innerHTML = `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
      one.addEventListener("click", act);
      return one;
    };
    let now = film.count, frame = 0;
    button("last", `Back to the ${film.turns} before`, () => go(turnBefore()));
    button("back", `One ${film.moments} back`, () => go(now - 1));
    const player = button("play", "Play", () => (frame ? stop() : start()));
    button("on", `One ${film.moments} on`, () => go(now + 1));
    button("next", `On to the next ${film.turns}`, () => go(turnAfter()));
    if (film.race) {
      const jump = make("button", "tl-to-race", bar, { type: "button" });
      jump.textContent = "To the race";
      jump.addEventListener("click", () => go(film.race));
    }
    const slider = make("input", "", bar, { type: "range", min: 0, max: film.count, "aria-label": "Time" });
    slider.addEventListener("input", () => go(Number(slider.value), "off"));
    matchMedia("print").addEventListener("change", ({ matches }) => matches && go(film.count, "off")); // paper has the end
    const words = make("p", "tl-now", root, { role: "status" });

    const turnBefore = () => {
      let i = now - 1;
      while (i > 0 && film.turn(i - 1) === film.turn(now - 1)) --i;
      return i;
    };
    const turnAfter = () => {
      let i = now;
      while (i < film.count && film.turn(i) === film.turn(now)) ++i;
      return i;
    };

    function say(text, live) {
      words.setAttribute("aria-live", live); // the slider says it by itself; nobody wants to hear a film
      words.textContent = text;
    }

    function show(live) {
      const text = film.show(now);
      say(!live ? "Play it, or drag the slider." : now ? text : "Nothing has happened yet.", live ?? "off");
      words.classList.toggle("tl-racing", Boolean(live && film.racing));
      slider.value = now;
      slider.setAttribute("aria-valuetext", words.textContent);
    }

    function go(to, live = "polite") {
      stop();
      now = Math.max(0, Math.min(film.count, to));
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

    // A whole film takes 6 to 20 seconds. Who wants little motion sees one turn after the other, at rest in between.
    function start() {
      if (now === film.count) now = 0;
      face("pause", "Pause");
      const pace = film.count / Math.min(20000, Math.max(6000, film.pace * film.count));
      let since;
      const tick = (time) => {
        since ??= time;
        const before = now;
        if (!still.matches) now = Math.min(film.count, now + Math.floor((time - since) * pace));
        else if (time - since >= 1200) now = turnAfter();
        if (now !== before) {
          since = still.matches ? time : since + (now - before) / pace;
          show("off");
        }
        frame = requestAnimationFrame(tick);
        if (now === film.count) stop();
      };
      frame = requestAnimationFrame(tick);
      show("off");
    }

    show();
    return { go, say };
  }

  // ---- warps over time --------------------------------------------------------------------------------

  // Everything worth a stop, in the order of its steps; `turn` tells one warp's turn from the next.
  function momentsOf(data) {
    const moments = data.barriers.map(([at, line, block]) => ({ at, line, block, kind: "barrier" }));
    for (const [kind, runs] of Object.entries(data.marks))
      for (const [at, thread, index, count, dAt, dThread, dIndex] of runs)
        for (let i = 0; i < count; ++i)
          moments.push({ at: at + i * dAt, thread: thread + i * dThread, index: index + i * dIndex, kind });
    if (data.stuck.length) moments.push({ at: data.steps - 1, kind: "stuck" });
    moments.sort((a, b) => a.at - b.at || ("index" in b) - ("index" in a));
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
    const owner = data.owner === null ? "" : ` of block ${place(data.owner, data.grid)}`;
    return data.array + places.join("") + owner;
  }

  // A thread or a block by its number, as short as the extent allows: 5, or (1, 0).
  function place(number, [x, y, z]) {
    if (y * z === 1) return String(number);
    const all = [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
    return `(${all.slice(0, z > 1 ? 3 : 2).join(", ")})`;
  }

  function playTimeline(picture) {
    const data = JSON.parse(picture.dataset.trace);
    const moments = momentsOf(data), count = moments.length;
    const races = new Map(data.races.map(([index, ...steps]) => [index, steps]));
    const byStep = new Map(moments.filter((one) => "index" in one).map((one) => [one.at, one]));
    const plot = picture.querySelector(".tl-plot"), svg = plot.querySelector("svg");
    const hues = new Map(data.rows.map(([warp], row) => [warp, (250 + (360 * row) / data.rows.length) % 360]));
    const several = data.blocks.length > 1;
    const thread = (number) => `thread ${place(number % BLOCK, data.block)}`;
    const whose = (number) => (several ? ` of block ${place(data.blocks[Math.floor(number / BLOCK)], data.grid)}` : "");
    const warp = (number) => ` of warp ${warpOf(number % BLOCK)}${whose(number)}`;

    const here = make("div", "tl-here", plot, { "aria-hidden": "true" });
    plot.querySelectorAll(".tl-label b").forEach((label, row) => make("i", "tl-key tl-key-who", label,
      { style: `--hue:${hues.get(data.rows[row][0])}`, "aria-hidden": "true" }));
    const root = make("div", "tl-player");
    plot.after(root);
    const film = { count, moments: "access", turns: "turn", pace: 40, turn: (i) => moments[i].turn, show };
    film.race = data.races.length && moments.findIndex((one) => one.at === data.races[0][2]) + 1;
    const cells = [];
    const { go, say } = controls(root, film);
    makeCells();
    show(count);

    function makeCells() {
      const size = data.shape.reduce((a, b) => a * b, 1), columns = Math.min(data.shape.at(-1), COLUMNS);
      if (size > MOST_CELLS) return;
      const last = Math.max(...moments.map(({ index }) => index ?? 0)); // rows below that one are empty to the end
      const label = `Elements of ${data.array}, each with the warps that wrote it and that read it last`;
      const grid = make("div", "tl-cells", root, { role: "img", "aria-label": label });
      grid.style.setProperty("--columns", columns);
      grid.addEventListener("pointerover", ({ target }) => target.says && (target.title = target.says));
      grid.addEventListener("click", ({ target }) => target.says && say(target.says, "polite"));
      for (let i = 0; i < size && i < last - (last % columns) + columns; ++i) cells.push(make("i", "", grid));
      const key = make("ul", "tl-legend", root);
      const keys = [
        ["wrote", `an element of ${data.array}: the warp that wrote it last`],
        ["last", "the warp that read it last"],
        ["racing", "an element with a race"],
      ];
      keys.slice(0, data.races.length ? 3 : 2).forEach(([look, text]) => {
        const item = make("li", "", key);
        make("i", `tl-key tl-key-${look}`, item);
        item.append(text);
      });
    }

    // Who wrote and who read each element last, after what has passed.
    function lastOf(now) {
      const last = new Map();
      moments.slice(0, now).forEach(({ kind, thread: who, index }) => {
        if (index === undefined) return;
        if (!last.has(index)) last.set(index, {});
        if (kind !== "read") last.get(index).write = who;
        if (kind !== "write") last.get(index).read = who;
      });
      return last;
    }

    function stuck() {
      const lines = new Map();
      data.stuck.forEach(([, , line, threads]) => lines.set(line, (lines.get(line) ?? 0) + threads));
      const places = [...lines].sort(([a], [b]) => (a || Infinity) - (b || Infinity));
      return places.map(([line, threads]) => `${threads} ${threads === 1 ? "thread" : "threads"} `
        + (line ? `at the barrier in line ${line}` : "gone from the kernel")).join(", ");
    }

    function sentence({ at, kind, thread: who, index, line, block }, state, race) {
      const step = `Step ${data.before + at}:`;
      if (kind === "barrier")
        return `${step} all threads${whose(block * BLOCK)} have arrived at line ${line}, and the barrier opens.`;
      if (kind === "stuck") return `${step} ${stuck()}. The barrier never opens.`;
      const { write } = state.get(index);
      const nobody = data.cut ? "" : ", which nobody has written"; // who knows what was before
      const writer = write === undefined ? nobody : `, which ${thread(write)}${whose(write)} has written`;
      const text = `${step} ${thread(who)}${warp(who)} ${does[kind]} ${element(data, index)}`;
      const other = race ? ` Race: ${thread(race.thread)}${whose(race.thread)} ${did[race.kind]} it, and `
        + `${several ? "nothing orders the blocks" : "no barrier stands between"}.` : "";
      return `${text}${kind === "read" ? writer : ""}.${other}`;
    }

    function show(now) {
      const state = lastOf(now), moment = moments[now - 1], end = now === count;
      const raced = (index) => Boolean(moment && races.has(index) && races.get(index)[1] <= moment.at);
      const race = moment && races.get(moment.index)?.[1] === moment.at && byStep.get(races.get(moment.index)[0]);
      film.racing = Boolean(race);
      plot.style.setProperty("--at", (end ? data.steps : (moment?.at ?? -1) + 1) / data.steps);
      plot.classList.toggle("tl-playing", !end);
      plot.classList.toggle("tl-at-race", film.racing); // whose words may stand in what is still to come
      here.hidden = end;
      cells.forEach((cell, index) => {
        const { write, read } = state.get(index) ?? {};
        cell.says = `${element(data, index)}: ${write === undefined ? "not written" : `written by ${thread(write)}`}, `
          + `${read === undefined ? "not read" : `last read by ${thread(read)}`}.${raced(index) ? " A race." : ""}`;
        const look = `${raced(index) ? "tl-raced" : ""} ${moment?.index === index && !end ? "tl-touched" : ""}`;
        if (cell.className !== look) cell.className = look;
        [write, read].forEach((who, i) => {
          const color = who === undefined ? "transparent" : `oklch(var(--fig-tone) ${hues.get(warpOf(who))})`;
          if (cell.colors?.[i] === color) return; // most cells stay as they are
          (cell.colors ??= [])[i] = color;
          cell.style.setProperty(["--wrote", "--read"][i], color);
        });
      });
      return moment && sentence(moment, state, race || undefined);
    }

    // A finger on the drawing is a finger on the slider.
    svg.addEventListener("pointermove", (event) => event.buttons && seek(event));
    svg.addEventListener("pointerdown", seek);
    function seek(event) {
      const box = svg.querySelector(".tl-lane").getBoundingClientRect(); // as long as the time
      const step = ((event.clientX - box.left) / box.width) * data.steps;
      go(moments.filter((one) => one.at < step).length, "off");
    }
  }

  // ---- one request of a warp --------------------------------------------------------------------------

  // Its moments are [sentence, turn]; each part of the drawing says in data-at at which of them it takes part, and is
  // faint before the first.
  function playRequest(frame) {
    const { names, moments } = JSON.parse(frame.dataset.moments);
    const parts = [...frame.querySelectorAll("[data-at]")].map((one) => [one, one.dataset.at.split(" ").map(Number)]);
    const root = make("div", "tl-player"), scroller = frame.querySelector("svg").parentNode;
    scroller.after(root);
    const [step, turns] = names, count = moments.length;
    const show = (now) => {
      parts.forEach(([one, at]) => {
        one.classList.toggle("kf-later", now < count && at[0] >= now);
        one.classList.toggle("kf-now", now < count && at.includes(now - 1));
      });
      const part = [...frame.querySelectorAll(".kf-now")].pop()?.getBoundingClientRect();
      const seen = scroller.getBoundingClientRect(); // on a narrow screen, a part of the drawing
      if (part && (part.left < seen.left || part.right > seen.right))
        scroller.scrollLeft += part.left - seen.left - seen.width / 2;
      return moments[now - 1]?.[0];
    };
    controls(root, { count, moments: step, turns, pace: 400, turn: (i) => moments[i][1], show });
  }

  for (const [selector, play] of [[".tl-picture", playTimeline], ["[data-moments]", playRequest]])
    document.querySelectorAll(selector).forEach((one) => {
      if (one.dataset.plays) return; // several reports on a page bring the player each
      one.dataset.plays = "yes";
      play(one);
    });
})();
