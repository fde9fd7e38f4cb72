"use strict";
(() => {
  const [R, COUNTS, TITLE, URL_, ADDRESS, HOST, DAY, TEXT, WORDS, LABEL, ARCHIVE, COPY] = Array(12).keys();
  const pages = JSON.parse(document.getElementById("pages").textContent);
  const home = document.getElementById("pages").closest("section");
  const [list, more, search, host, order, only, copies, told] =
    [".pages", ".more", "[type=search]", ".host", ".order", ".only", ".copies", "output"].map((s) => home.querySelector(s));
  const STEP = 25;
  let chosen = pages, shown = 0;

  const make = (name, text, kind) => {
    const made = document.createElement(name);
    if (text) { made.textContent = text; made.dir = "auto"; }
    if (kind) made.className = kind;
    return made;
  };
  const row = (page) => {
    const made = make("article"), title = make(page[URL_] ? "a" : "span", page[TITLE] || "(no title)", "page");
    if (page[URL_]) { title.href = page[URL_]; title.rel = "noopener noreferrer nofollow"; }
    const head = make("h3");
    head.append(make("span", page[R].toFixed(2), page[COUNTS] ? "pill" : "pill low"), title);
    if (page[LABEL]) head.append(make("span", "label: " + page[LABEL], "tag"));
    made.append(head, make("div", page[ADDRESS], "address"));
    if (page[TEXT]) made.append(make("p", page[TEXT]));
    const facts = [page[WORDS] && "words: " + page[WORDS], "fetched " + page[DAY], page[ARCHIVE] && "archived in " + page[ARCHIVE], page[COPY] && "a copy of " + page[COPY]];
    made.append(make("div", facts.filter(Boolean).join(" \u00b7 "), "facts"));
    return made;
  };
  const grow = () => {
    list.append(...chosen.slice(shown, shown + STEP).map(row));
    shown = Math.min(chosen.length, shown + STEP);
    more.hidden = shown === chosen.length;
  };
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean), key = Number(order.value);
    chosen = pages.filter((page) => (!host.value || page[HOST] === host.value) && (!only.checked || page[COUNTS]) &&
      (!page[COPY] || copies.checked) &&
      words.every((word) => (page[TITLE] + " " + page[ADDRESS] + " " + page[TEXT] + " " + page[WORDS]).toLowerCase().includes(word)));
    const down = key === R || key === DAY ? -1 : 1;
    chosen.sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0) * down || b[R] - a[R]);
    list.replaceChildren(...(chosen.length ? [] : [make("p", "No page is like that.", "empty")])); shown = 0;
    told.textContent = chosen.length.toLocaleString("en") + (chosen.length === 1 ? " page" : " pages");
    grow();
  };
  for (const each of [search, host, order, only, copies]) if (each) each.addEventListener("input", draw);
  more.addEventListener("click", grow);
  draw();
})();
