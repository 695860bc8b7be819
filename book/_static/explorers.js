// "Change it": the reader sets a number, and the page works out what a warp's request, or a block, comes to.
// book/_ext/course_book/explorers.py makes the controls, and a table in their place on paper and where scripts are off.
// tests/book/test_explorers.py holds the arithmetic against the emulator and autograder/occupancy.py.
"use strict";

(() => {
  const WARP = 32, SECTOR = 32, BANKS = 32;
  const LANES = Array.from({ length: WARP }, (_, lane) => lane);
  const several = (count, one, many = one + "s") => `${count} ${count === 1 ? one : many}`;
  const roundUp = (number, unit) => Math.ceil(number / unit) * unit;

  // Stride and offset, in elements of `size` bytes: the sectors of one request of a warp, by number, each with
  // where in it the elements begin that somebody wants. An element is aligned, and so lies in one sector.
  function sectorsOf({ size, stride, offset }) {
    const wanted = new Map();
    for (const lane of LANES) {
      const start = (stride * lane + offset) * size, sector = Math.floor(start / SECTOR);
      if (!wanted.has(sector)) wanted.set(sector, new Set());
      wanted.get(sector).add(start % SECTOR);
    }
    return wanted;
  }

  function showSectors(values, { says, code, picture }) {
    const { size, stride, offset } = values, wanted = sectorsOf(values);
    const used = size * [...wanted.values()].reduce((sum, starts) => sum + starts.size, 0);
    says.textContent = `${several(wanted.size, "sector")} for this one request: ` +
      `${wanted.size * SECTOR} bytes moved, ${used} used.`;
    code.textContent = `in[${stride} * lane + ${offset}]`;
    picture.replaceChildren(...[...wanted].map(([sector, starts]) => {
      const box = document.createElement("div"), bytes = document.createElement("div");
      bytes.append(...[...starts].map((start) => {
        const piece = document.createElement("i");
        piece.style.left = `${(100 * start) / SECTOR}%`;
        piece.style.width = `${(100 * size) / SECTOR}%`;
        return piece;
      }));
      box.className = "ex-sector";
      box.append(bytes, `${sector}`);
      return box;
    }));
  }

  // How many different words a request asks of each bank.
  function askedOf(words) {
    const asked = Array.from({ length: BANKS }, () => new Set());
    for (const word of words) asked[word % BANKS].add(word);
    return asked.map((wanted) => wanted.size);
  }

  // A tile of 32 rows, each of `width` words and `padding` free ones: the words of its first column, and the
  // passes of the writes that fill it along its rows, 32 neighbors at a time.
  function tileOf({ width, padding }) {
    const pitch = width + padding, column = LANES.map((lane) => lane * pitch);
    let filling = 0;
    for (let write = 0; write < width; write++) {
      const neighbors = LANES.map((lane) => WARP * write + lane);
      filling += Math.max(...askedOf(neighbors.map((i) => Math.floor(i / width) * pitch + (i % width))));
    }
    return { pitch, column, filling };
  }

  function showBanks(values, { says, code, picture }) {
    const { width, padding } = values, { pitch, column, filling } = tileOf(values);
    const asked = askedOf(column);
    says.textContent = `A read of the column takes ${several(Math.max(...asked), "pass", "passes")}. ` +
      `Filling the tile along its rows takes ${several(width, "write")}, in ${several(filling, "pass", "passes")}. ` +
      `The tile has ${WARP * pitch} words; ${WARP * padding} of them are padding.`;
    code.textContent = `float tile[${WARP}][${pitch}];  ... tile[lane][0]`;
    // The tile as it lies in the banks: 32 words in a line.
    const high = Math.min(9, 170 / pitch), top = 11, bottom = top + high * pitch;
    const cell = (kind, word) => `<rect class="${kind}" x="${(word % BANKS) * 10 + 0.5}" width="9" ` +
      `y="${top + Math.floor(word / BANKS) * high + 0.05 * high}" height="${0.9 * high}"/>`;
    const text = (kind, bank, y, words) => `<text class="${kind}" x="${bank * 10 + 5}" y="${y}">${words}</text>`;
    const free = column.flatMap((start) => Array.from({ length: padding }, (_, i) => start + width + i));
    picture.innerHTML = `<svg viewBox="0 0 ${10 * BANKS} ${bottom + 12}">` +
      LANES.filter((bank) => bank % 2 === 0).map((bank) => text("ex-bank", bank, 8, bank)).join("") + // room for two digits
      LANES.map((bank) => `<rect class="ex-line" x="${bank * 10 + 0.5}" y="${top}" width="9" ` +
        `height="${high * pitch}"/>`).join("") +
      free.map((word) => cell("ex-free", word)).join("") +
      column.map((word) => cell(asked[word % BANKS] > 1 ? "kf-clash" : "kf-read", word)).join("") +
      asked.map((words, bank) => text(words > 1 ? "ex-clash" : "ex-bank", bank, bottom + 9, words)).join("") +
      "</svg>";
  }

  // As autograder/occupancy.py, which says where the rules come from.
  const REGISTER_UNIT = 256, PARTS = 4;
  function occupancyOf(gpu, { block, registers, shared }) {
    const warps = Math.ceil(block / WARP);
    const bytes = roundUp(shared + gpu.reserved_bytes, gpu.shared_unit);
    const warpRegisters = roundUp(registers * WARP, REGISTER_UNIT);
    const fits = [
      ["warps", Math.floor(gpu.warps / warps)],
      ["blocks", gpu.blocks],
      ["registers", Math.floor((Math.floor(gpu.registers / PARTS / warpRegisters) * PARTS) / warps)],
    ];
    if (bytes) fits.push(["shared memory", Math.floor(gpu.shared_bytes / bytes)]);
    const blocks = Math.min(...fits.map(([, most]) => most));
    const limiters = fits.filter(([, most]) => most === blocks).map(([what]) => what);
    const percent = Math.floor((100 * blocks * warps) / gpu.warps + 0.5);
    return { blocks, warps: blocks * warps, percent, limiters };
  }

  function showOccupancy(values, { says, explorer }) {
    const found = JSON.parse(explorer.dataset.gpus).map((gpu) => ({ gpu, ...occupancyOf(gpu, values) }));
    for (const [row, { gpu, blocks, warps, percent, limiters }] of found.entries()) {
      const cells = explorer.querySelectorAll(".ex-table tbody tr")[row].querySelectorAll("td");
      const words = [blocks, `${warps} of ${gpu.warps}`, blocks ? `${percent} %` : "launch fails", limiters.join(", ")];
      words.forEach((word, i) => { cells[i].textContent = word; });
      cells[2].style.setProperty("--share", `${percent}%`);
    }
    const some = found.filter((one) => one.blocks).sort((a, b) => a.percent - b.percent);
    const low = some[0], high = some[some.length - 1];
    const fails = found.length - some.length;
    const last = !fails ? "" : ` On ${fails} of the ${found.length} no block fits: CUDA refuses the launch.`;
    says.textContent = !some.length ? "No block fits on any of them: CUDA refuses the launch." :
      (low.percent === high.percent ? `Occupancy ${low.percent} %${last ? "" : " on each of them"}.` :
        `Occupancy from ${low.percent} % (${low.gpu.name}) to ${high.percent} % (${high.gpu.name}).`) + last;
  }

  const SHOW = { sectors: showSectors, banks: showBanks, occupancy: showOccupancy };

  function start(explorer) {
    const part = (name) => explorer.querySelector(`.ex-${name}`);
    const parts = { explorer, says: part("says"), code: part("code"), picture: part("picture") };
    const values = {};
    const show = () => SHOW[explorer.dataset.explorer](values, parts);
    for (const control of explorer.querySelectorAll("[name]")) {
      const slider = explorer.querySelector(`[data-of="${control.name}"]`);
      const take = (text) => {
        const number = Math.round(Number(text)), { min, max } = control;
        if (text === "" || Number.isNaN(number)) return;
        values[control.name] = min === undefined ? number : Math.min(Math.max(number, Number(min)), Number(max));
        if (slider) slider.value = values[control.name];
      };
      take(control.value);
      control.addEventListener("input", () => { take(control.value); show(); });
      control.addEventListener("change", () => { control.value = values[control.name]; });
      slider?.addEventListener("input", () => { take(slider.value); control.value = values[control.name]; show(); });
    }
    for (const element of explorer.querySelectorAll("[hidden]")) element.hidden = false;
    explorer.classList.add("ex-plays");
    show();
  }

  document.querySelectorAll(".explorer").forEach(start);
})();
