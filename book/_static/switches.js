// Switches at the lines of a listing: shows the result that the build has for their combination.
// The page says all of it without this script, too: see book/_ext/course_book/switches_html.py.
document.querySelectorAll(".ks").forEach((root) => {
  const box = root.querySelector(".ks-box");
  const states = JSON.parse(box.dataset.states); // by the bits of what is off: [number of the result, sentence]
  const results = [...box.querySelectorAll(":scope > .ks-result")];
  const drawings = [...box.querySelectorAll(".ks-drawing")]; // several results may have the same
  const switches = [...box.querySelectorAll("input")];
  const marks = [...root.querySelectorAll(".hll")]; // the lines that have a switch, from the top
  const now = box.querySelector(".ks-now");

  switches.forEach((input) => {
    input.lines = [...input.closest("label").parentElement.querySelectorAll("template")]
      .filter((one) => one.dataset.of === String(switches.indexOf(input)))
      .map((one) => divide(marks[one.dataset.mark], one));
    input.lines.forEach(({ line }) => {
      line.title = `Click: ${input.parentElement.textContent} off or on`;
      // The switch below is what the keyboard has; a text that is being selected is not a click.
      line.addEventListener("click", () => getSelection().isCollapsed && input.click());
    });
    input.addEventListener("change", show);
  });

  // The line as it stands, and behind it, unseen for now, what the switch puts in its place.
  function divide(line, template) {
    const number = line.querySelector(".linenos");
    const margin = document.createElement("span"), old = document.createElement("span");
    old.className = "ks-old";
    const code = [...line.childNodes].filter((node) => node !== number);
    const start = code.findIndex((node) => node.textContent.trim());
    margin.append(...code.slice(0, start)); // is not struck out
    old.append(...code.slice(start));
    line.append(margin, old);
    if (!template.content.textContent.trim()) return { line, margin, old };
    const gap = number.cloneNode();
    gap.textContent = "+".padStart(number.textContent.length);
    const put = document.createElement("span");
    put.className = "ks-new ks-out";
    put.append(gap, template.content, "\n");
    line.append(put);
    return { line, margin, old, put };
  }

  function show() {
    let bits = 0;
    switches.forEach((input, i) => {
      const off = !input.checked;
      bits |= off << i;
      input.lines.forEach(({ line, margin, old, put }) => {
        line.classList.toggle("ks-off", off);
        [margin, old].forEach((part) => part.classList.toggle("ks-out", off)); // not copied
        put?.classList.toggle("ks-out", !off);
      });
    });
    const [number, sentence] = states[bits];
    results.forEach((result, i) => (result.hidden = i !== number));
    drawings.forEach((drawing, i) => (drawing.hidden = i !== Number(results[number].dataset.drawing)));
    now.textContent = sentence;
  }

  results.forEach((result) => (result.open = true));
  box.append(...drawings);
  root.classList.add("ks-live");
  now.hidden = box.querySelector(".ks-switches").hidden = false;
  switches.forEach((input) => (input.checked = true)); // a browser may remember it otherwise
  show();
});
