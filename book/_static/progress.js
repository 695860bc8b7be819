// What a reader has done, as this browser remembers it: marks at the links to exercises and chapters, the way back to the last
// page, and the next chapter. Exercise pages record results (book/_ext/course_page/web/progress.mjs); each page records here
// that it was read. Nothing is sent anywhere.
(() => {
  const root = new URL("../", document.currentScript.src); // the book's folder
  const nameOf = (address) => {
    const { origin, pathname } = new URL(address, location.href);
    if (origin !== root.origin || !pathname.startsWith(root.pathname)) return "";
    return decodeURIComponent(pathname.slice(root.pathname.length)).replace(/\.html$/, "");
  };
  const here = nameOf(location.href);
  const recall = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null; // a browser that stores nothing, or a value of somebody else's
    }
  };
  const remember = (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // a browser that stores nothing: then nothing is marked
    }
  };
  const titleOf = (link) => {
    const copy = link.cloneNode(true);
    copy.querySelectorAll(".progress-mark").forEach((mark) => mark.remove());
    return copy.textContent.trim();
  };

  // The sidebar has all pages in their order: chapters, and the exercises of each.
  const chapters = [...document.querySelectorAll(".bd-links li.toctree-l1")].map((item) => {
    const [link, ...exercises] = item.querySelectorAll("a.reference");
    return { link, exercises: exercises.filter((one) => nameOf(one.href).startsWith("exercises/")) };
  });

  /** "solved", "tried", or "" for the exercise on a page, with its best points. */
  function stateOf(page) {
    const known = recall(`progress ${page}`);
    const results = Object.values(known?.results ?? {});
    const [points, most] = ["best", "most"].map((word) => results.reduce((sum, one) => sum + one[word], 0));
    const solved = results.length && results.length === known.exercises && points === most;
    return { state: solved ? "solved" : results.length ? "tried" : "", points, most };
  }

  function mark(link, state, shown, sentence) {
    link.querySelector(".progress-mark")?.remove();
    if (!state) return;
    const out = document.createElement("span");
    out.className = `progress-mark ${state}`;
    out.title = sentence;
    const sign = document.createElement("span");
    sign.ariaHidden = "true";
    sign.textContent = shown;
    const words = document.createElement("span");
    words.className = "visually-hidden";
    words.textContent = ` (${sentence})`;
    out.append(sign, words);
    link.append(out);
  }

  function draw() {
    for (const link of document.querySelectorAll('a.reference[href*="exercises/"]:not(.sd-btn), .bd-links a.reference')) {
      const page = link.matches(".current > a[href='#']") ? here : nameOf(link.href);
      if (!page.startsWith("exercises/")) continue;
      const { state, points, most } = stateOf(page);
      mark(link, state, state === "solved" ? "✓" : `${points}/${most}`, state === "solved" ? "solved" : `${points} of ${most} points`);
    }
    for (const { link, exercises } of chapters) {
      const same = [...document.querySelectorAll("#your-record a")].find((one) => nameOf(one.href) === nameOf(link.href));
      const states = exercises.map((one) => stateOf(nameOf(one.href)).state);
      const solved = states.filter((state) => state === "solved").length;
      const read = Boolean(recall(`read ${nameOf(link.href)}`));
      const sum = `${solved} of ${exercises.length} exercises solved`;
      const how =
        exercises.length && solved === exercises.length
          ? ["solved", "✓", "all exercises solved"]
          : states.some(Boolean)
            ? ["tried", `${solved}/${exercises.length}`, sum]
            : [read ? "read" : "", "read", "read"];
      for (const one of [link, same].filter(Boolean)) mark(one, ...how);
    }
  }

  draw();
  addEventListener("progress", draw);
  addEventListener("storage", draw); // another tab
  addEventListener("pageshow", ({ persisted }) => persisted && draw()); // Back

  // A page is read when its end has been in sight. The landing page and the index don't count.
  const isPage = /^(book\/(?!index$|your-progress$)|exercises\/)/.test(here);
  const title = document.querySelector("article h1");
  if (isPage && title) {
    const name = title.cloneNode(true);
    name.querySelectorAll(".headerlink").forEach((one) => one.remove());
    remember("last", { page: here, title: name.textContent.trim() });
    const end = document.querySelector("article > section")?.lastElementChild;
    if (end && here.startsWith("book/"))
      new IntersectionObserver((seen, watcher) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        watcher.disconnect();
        remember(`read ${here}`, Date.now());
        draw();
      }).observe(end);
  }

  // The theme's "next" leads from a chapter to its first exercise. Who goes on reading wants the next chapter.
  const at = chapters.findIndex(({ link, exercises }) => [link, ...exercises].some((one) => one.parentElement.matches(".current") && (one.href.endsWith("#") || nameOf(one.href) === here)));
  const next = document.querySelector(".prev-next-area");
  const following = chapters[at + 1]?.link;
  if (at >= 0 && next && following && chapters[at].exercises.length) {
    const line = document.createElement("p");
    line.className = "next-chapter";
    const link = document.createElement("a");
    link.href = following.href;
    link.textContent = titleOf(following);
    line.append("Next chapter: ", link);
    next.after(line);
  }

  // The page "Your progress": a table of all chapters, and what saves, opens and deletes all of it.
  const yours = document.getElementById("your-record");
  if (yours) {
    const place = document.createElement("div");
    yours.append(place);
    const list = () => {
      const table = document.createElement("table");
      table.className = "table";
      for (const { link, exercises } of chapters) {
        const row = table.insertRow();
        for (const [one, cell] of [[link, row.insertCell()], ...exercises.map((each) => [each, null])]) {
          const copy = document.createElement("a");
          copy.className = "reference";
          copy.href = one.href;
          copy.textContent = titleOf(one);
          (cell ?? row.cells[1] ?? row.insertCell()).append(copy, document.createElement("br"));
        }
      }
      place.replaceChildren(table);
      draw();
    };
    list();
    const module = new URL("page/yours.js", document.currentScript.src);
    if (location.protocol !== "file:") import(module).then(({ show }) => show(yours)).catch(() => {});
  }

  // On the landing page: the way back to where the reader was.
  const buttons = document.querySelector(".lead-in ~ .start-buttons");
  const last = recall("last");
  if (buttons && typeof last?.page === "string" && typeof last.title === "string") {
    const line = document.createElement("p");
    line.className = "go-on";
    const link = document.createElement("a");
    link.href = new URL(`${last.page}.html`, root);
    link.textContent = last.title;
    line.append("Go on where you were: ", link);
    buttons.after(line);
  }
})();
