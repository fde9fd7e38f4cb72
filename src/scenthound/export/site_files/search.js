// Looks through PAGES (search-data.js): [file, title, site, day, text]. Works from a disk: nothing is asked of a server.
const MOST = 50, AROUND = 90;
const box = document.getElementById("q"), list = document.getElementById("found"), said = document.getElementById("said");
const browse = document.getElementById("browse");
const ready = PAGES.map(page => [page[1].toLowerCase(), `${page[2]} ${page[4]}`.toLowerCase()]);

// A word is found where a word begins ("cat" in "cats", not in "education"); where none are parted by spaces, anywhere.
const WITHIN = /[\p{L}\p{M}\p{N}_]$/u, UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const MOST_TIMES = 5;

function find(text, word, from = 0) {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    if (UNSPACED.test(word) || !WITHIN.test(text.slice(Math.max(0, at - 2), at))) return at;
  }
  return -1;
}

function score([title, text], words) {
  let sum = 0;
  for (const word of words) {
    const inTitle = find(title, word) >= 0;
    let times = 0;
    for (let at = find(text, word); at >= 0 && times < MOST_TIMES; at = find(text, word, at + word.length)) times++;
    if (!inTitle && !times) return 0;
    sum += (inTitle ? 8 : 0) + times;
  }
  return sum;
}

function marked(text, words) {
  const lower = text.toLowerCase(), out = document.createDocumentFragment();
  for (let at = 0; at < text.length;) {
    let next = text.length, length = 0;
    for (const word of words) {
      const place = find(lower, word, at);
      if (place >= 0 && place < next) [next, length] = [place, word.length];
    }
    out.append(text.slice(at, next));
    if (length) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(next, next + length);
      out.append(mark);
    }
    at = next + length;
  }
  return out;
}

function around(text, words) {
  const lower = text.toLowerCase();
  const places = words.map(word => find(lower, word)).filter(place => place >= 0);
  const middle = places.length ? Math.min(...places) : 0, start = Math.max(0, middle - AROUND);
  return (start ? "… " : "") + text.slice(start, middle + 2 * AROUND) + (middle + 2 * AROUND < text.length ? " …" : "");
}

function item(page, words) {
  const row = document.createElement("li"), link = document.createElement("a");
  const text = document.createElement("p"), facts = document.createElement("p");
  link.href = `pages/${page[0]}.html`;
  link.append(marked(page[1], words));
  text.append(marked(around(page[4], words), words));
  facts.className = "facts";
  facts.textContent = `${page[2]} · ${page[3]}`;
  row.append(link, text, facts);
  return row;
}

function search() {
  const words = [...new Set(box.value.toLowerCase().split(/\s+/).filter(Boolean))];
  const hits = words.length ? PAGES.map((page, number) => [score(ready[number], words), page]).filter(hit => hit[0]) : [];
  hits.sort((a, b) => b[0] - a[0]);
  list.replaceChildren(...hits.slice(0, MOST).map(hit => item(hit[1], words)));
  const shown = hits.length > MOST ? `, the best ${MOST} of them here` : "";
  said.textContent = words.length ? `${hits.length} ${hits.length === 1 ? "page" : "pages"}${shown}` : "";
  browse.hidden = words.length > 0;
  history.replaceState(null, "", words.length ? `#q=${encodeURIComponent(box.value)}` : "#");
}

box.addEventListener("input", search);
if (location.hash.startsWith("#q=")) {
  box.value = decodeURIComponent(location.hash.slice(3));
  search();
}
