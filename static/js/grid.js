// The grid of a round by keyboard: Enter goes on to the next cell and line, the lines are checked while one types.
// The page works without this file; the rules are the server's, which answers the check.
(() => {
  "use strict";
  const form = document.querySelector("form[data-grid]");
  if (!form || !form.querySelector("[data-save]")) return;
  const ORDER = ["a", "b", "score_a", "score_b"];
  const texts = form.querySelector("[data-texts]").dataset;
  const counter = form.querySelector("[data-lines]");
  const missing = form.querySelector("[data-missing]");
  const lines = () => Array.from(form.querySelectorAll("tbody[data-line]"));
  const cell = (line, name) => line.querySelector(`[data-cell="${name}"]`);
  let changed = false;
  let leaving = false;
  let fromJump = false;

  const enter = (field) => {
    field.focus();
    if (field.select) field.select();
  };

  const isEmpty = (line) => ORDER.every((name) => cell(line, name).value.trim() === "");

  // A new line is a copy of the last one with the next number.
  const addLine = () => {
    const last = lines().at(-1);
    const number = Number(last.dataset.line) + 1;
    if (number > Number(form.dataset.most)) return last;
    const line = last.cloneNode(true);
    line.id = `line-${number}`;
    line.dataset.line = String(number);
    line.className = "";
    line.querySelector("td").textContent = String(number);
    line.querySelectorAll("[data-cell]").forEach((field) => {
      field.name = `${field.dataset.cell}-${number}`;
      field.setAttribute("aria-label", field.getAttribute("aria-label").replace(String(number - 1), String(number)));
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
      field.value = field.dataset.cell === "kind" ? "game" : "";
    });
    const problem = line.querySelector("[data-problem]");
    problem.hidden = true;
    problem.querySelector("[id]").id = `problem-${number}`;
    problem.querySelector("[id]").textContent = "";
    last.after(line);
    counter.value = String(number);
    return line;
  };

  const nextLine = (line) => line.nextElementSibling && line.nextElementSibling.matches("tbody[data-line]") ? line.nextElementSibling : addLine();

  // Where typing goes on in a line: its first cell that is still empty.
  const firstEmpty = (line) => cell(line, ORDER.find((name) => cell(line, name).value.trim() === "") || "score_a");

  const goOn = (field) => {
    const line = field.closest("tbody");
    const place = ORDER.indexOf(field.dataset.cell);
    const isBye = field.dataset.cell === "b" && /^(bye|lliure|[-–—0])$/i.test(field.value.trim());
    if (place >= 0 && place < ORDER.length - 1 && !isBye) {
      enter(cell(line, ORDER[place + 1]));
      return;
    }
    if (fromJump) {
      fromJump = false;
      enter(jump);
      return;
    }
    const next = nextLine(line);
    enter(isEmpty(next) ? cell(next, "a") : firstEmpty(next));
  };

  const upOrDown = (field, step) => {
    const all = lines();
    const target = all[all.indexOf(field.closest("tbody")) + step];
    if (target) enter(cell(target, field.dataset.cell));
  };

  form.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.isComposing || !(field instanceof HTMLElement)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("[data-save]"));
    } else if (event.key === "Enter" && field.matches("input[data-cell], select[data-cell]")) {
      event.preventDefault();
      if (field.dataset.cell === "a" && isEmpty(field.closest("tbody"))) form.querySelector("[data-save]").focus();
      else goOn(field);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && field.matches("input[data-cell^=score]")) {
      event.preventDefault();
      upOrDown(field, event.key === "ArrowDown" ? 1 : -1);
    }
  });

  // «Find a player» goes to the score of the one line that has the number, or words that begin so.
  const jumpBox = form.querySelector("[data-jump]");
  const jump = form.querySelector("#jump");
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const hits = (text, value) => {
    const number = /^\d+/.exec(text);
    if (number) return new RegExp(`^${number[0]}(\\D|$)`).test(value);
    const words = folded(value).split(/[^\p{L}\d]+/u);
    return folded(text).split(/\s+/).every((part) => words.some((word) => word.startsWith(part)));
  };
  if (jump) {
    jumpBox.hidden = false;
    jump.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      const text = jump.value.trim();
      if (!text) return;
      for (const line of lines()) {
        for (const side of ["a", "b"]) {
          if (!hits(text, cell(line, side).value.trim())) continue;
          jump.value = "";
          fromJump = true;
          enter(firstEmpty(line));
          return;
        }
      }
      const free = lines().find(isEmpty) || addLine();
      jump.value = "";
      fromJump = true;
      cell(free, "a").value = text;
      enter(cell(free, "b"));
      check();
    });
  }

  // ---- the live check ----------------------------------------------------------------------------
  let timer = 0;
  let turn = 0;

  const show = (answer) => {
    for (const line of lines()) {
      const number = Number(line.dataset.line);
      const found = answer.problems.filter((problem) => problem.line === number);
      const row = line.querySelector("[data-problem]");
      const place = row.querySelector("[id]");
      place.replaceChildren(...found.map((problem) => {
        const text = document.createElement("span");
        text.className = problem.severity === "error" ? "problem" : "warned";
        text.textContent = `${problem.text} `;
        return text;
      }));
      row.hidden = found.length === 0;
      line.className = found.some((problem) => problem.severity === "error") ? "err" : found.length ? "warn" : "";
      line.querySelectorAll("[data-cell]").forEach((field) => {
        const wrong = found.some((problem) => problem.cell === field.dataset.cell && problem.severity === "error");
        if (wrong) field.setAttribute("aria-invalid", "true");
        else field.removeAttribute("aria-invalid");
        if (found.length) field.setAttribute("aria-describedby", place.id);
        else field.removeAttribute("aria-describedby");
      });
      const names = answer.names[String(number)];
      if (names) {
        for (const side of ["a", "b"]) {
          const field = cell(line, side);
          if (field !== document.activeElement && names[side] && field.value.trim()) field.value = names[side];
        }
      }
    }
    const absent = answer.missing.length ? `${texts.absent} ${answer.missing.join(", ")}` : texts.everybody;
    missing.textContent = answer.pending ? `${answer.pending} ${absent}` : absent;
  };

  const check = async () => {
    turn += 1;
    const mine = turn;
    try {
      const response = await fetch(form.dataset.check, { method: "POST", body: new FormData(form), credentials: "same-origin" });
      const answer = response.ok ? await response.json() : null;
      if (mine !== turn) return;
      if (answer) show(answer);
      else missing.textContent = texts.failed;
    } catch {
      if (mine === turn) missing.textContent = texts.failed;
    }
  };

  // ---- what was typed and not stored ---------------------------------------------------------------
  // It outlives a lapsed sign-in, a refused form and a slip back or forward: the tab remembers it until it is stored.
  const draftOf = (round) => `grid-${form.dataset.draft}${round}`;
  const draft = draftOf(form.dataset.round);
  const CELLS = [...ORDER, "kind"];
  const version = form.querySelector("[name=version]");
  const typed = () => lines().map((line) => CELLS.map((name) => cell(line, name).value));

  const keep = () => {
    try {
      sessionStorage.setItem(draft, JSON.stringify({ version: version.value, cells: typed() }));
    } catch { /* Without a store the page works as before. */ }
  };

  const forget = (key) => {
    try {
      sessionStorage.removeItem(key);
    } catch { /* see above */ }
  };

  const remembered = () => {
    try {
      return JSON.parse(sessionStorage.getItem(draft));
    } catch {
      return null;
    }
  };

  // The version goes with the cells, so that a round changed meanwhile is still noticed when it is saved.
  const restore = () => {
    const kept = remembered();
    if (!kept || JSON.stringify(kept.cells) === JSON.stringify(typed().slice(0, kept.cells.length))) return;
    while (lines().length < kept.cells.length) {
      const before = lines().length;
      addLine();
      if (lines().length === before) break;
    }
    lines().forEach((line, place) => {
      CELLS.forEach((name, column) => {
        const text = kept.cells[place] ? kept.cells[place][column] : "";
        cell(line, name).value = text || (name === "kind" ? "game" : "");
      });
    });
    version.value = kept.version;
    changed = true;
    const notice = form.querySelector("[data-draft-notice]");
    const drop = document.createElement("a");
    drop.href = `${location.pathname}?mine=drop`;
    drop.textContent = texts.draftDrop;
    drop.addEventListener("click", () => { leaving = true; });
    notice.querySelector("p").replaceChildren(`${texts.draftBack} `, drop, ".");
    notice.hidden = false;
    check();
  };

  form.addEventListener("input", (event) => {
    if (event.target === jump) return;
    changed = true;
    keep();
    clearTimeout(timer);
    timer = setTimeout(check, 400);
  });
  form.addEventListener("focusout", (event) => {
    if (!changed || !event.target.matches("[data-cell]")) return;
    clearTimeout(timer);
    timer = setTimeout(check, 60);
  });

  form.querySelector("[data-more]").addEventListener("click", (event) => {
    event.preventDefault();
    enter(cell(addLine(), "a"));
  });

  // Work is not lost by a slip of the finger.
  form.addEventListener("submit", () => { leaving = true; });
  window.addEventListener("beforeunload", (event) => {
    if (changed && !leaving) event.preventDefault();
  });

  const stored = /^#stored-(\d+)$/.exec(location.hash);
  if (stored) {
    forget(draftOf(stored[1]));
    history.replaceState(null, "", location.pathname);
  }
  if (new URLSearchParams(location.search).get("mine") === "drop") {
    forget(draft);
    history.replaceState(null, "", location.pathname);
  }
  // A page that answers a form shows what was sent; only a fresh one is filled in.
  if (!document.querySelector(".notice.err[role=alert]")) restore();

  // Typing begins where the round is not finished.
  if (!document.querySelector(".notice.err[role=alert]")) {
    const open = lines().find((line) => ORDER.some((name) => cell(line, name).value.trim() === ""));
    if (open) cell(open, isEmpty(open) ? "a" : ORDER.find((name) => cell(open, name).value.trim() === "")).focus({ preventScroll: true });
  }
})();
