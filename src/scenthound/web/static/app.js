// The dashboard in the browser: talks to /api, draws curves, hears of the crawl. Texts of pages only ever become text.
"use strict";
(() => {
  const library = document.body.dataset.library;
  const base = `/api/libraries/${library}`;
  const $ = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Small things

  const element = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const nameOf = (thing) => thing.getAttribute("aria-label") || thing.href;
  const refill = (box, rows) => {  // whoever is at one of the rows stays there
    const held = box.contains(document.activeElement) ? nameOf(document.activeElement) : null;
    box.replaceChildren(...rows);
    if (held) all("a, button", box).find((each) => nameOf(each) === held)?.focus({ preventScroll: true });
  };
  const number = (value) => value.toLocaleString("en");
  const percent = (value) => { const share = 100 * value; return share > 0 && share < 9.95 ? `${share.toFixed(1)} %` : `${Math.round(share)} %`; };
  const readable = (url) => { try { const text = decodeURIComponent(url); return /[\p{C}\p{Z}]/u.test(text) ? url : text; } catch { return url; } };
  const short = (url) => readable(url).replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
  const pageAddress = (url) => `/${library}/page?url=${encodeURIComponent(url)}`;
  const duration = (seconds) => {
    const total = Math.max(0, Math.round(seconds)), hours = Math.floor(total / 3600), minutes = Math.floor((total % 3600) / 60);
    return `${hours ? `${hours}:` : ""}${hours ? String(minutes).padStart(2, "0") : minutes}:${String(total % 60).padStart(2, "0")}`;
  };
  const clock = (seconds) => new Date(Date.now() + 1000 * seconds).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  let fading;
  const toast = (text) => {
    const box = $("#toast");
    box.textContent = text;
    box.classList.add("shown");
    clearTimeout(fading);
    fading = setTimeout(() => box.classList.remove("shown"), 3500);
  };
  const call = async (method, path, body) => {
    const options = { method, headers: { "Content-Type": "application/json" } };
    if (method !== "GET") options.body = JSON.stringify(body ?? {});
    const response = await fetch(base + path, options);
    const found = await response.json().catch(() => ({ error: response.statusText }));
    if (!response.ok) { toast(found.error); throw new Error(found.error); }
    return found;
  };

  // Curves

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const plots = new Map();
  const axis = () => ({ stroke: colour("--soft"), grid: { stroke: colour("--faint"), width: 1 }, ticks: { show: false }, font: "12px system-ui" });
  const plain = (box) => ({ width: box.clientWidth, height: box.clientHeight, legend: { show: false }, cursor: { show: false } });
  const counted = (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? number(tick) : ""));
  const draw = (box, values, pages = Number(box.dataset.pages) || values.length) => {
    const data = [values.map((_, place) => ((place + 1) * pages) / values.length), values];
    const known = plots.get(box);
    if (known) { known.setData(data); return; }
    if (!values.length || !box.clientWidth) return;
    plots.set(box, new uPlot({
      ...plain(box), scales: { x: { time: false }, y: { range: [0, 1] } },
      axes: [{ ...axis(), grid: { show: false }, values: counted, size: 30 }, { ...axis(), values: (_, ticks) => ticks.map((tick) => `${Math.round(100 * tick)} %`), size: 52 }],
      series: [{}, { stroke: colour("--fill"), width: 2.25, fill: colour("--good-soft"), points: { show: false } }],
    }, data, box));
  };
  const inks = ["--fill", "--line-1", "--line-2", "--line-3", "--line-4", "--line-5", "--line-6", "--line-7"];
  const drawLines = (box) => {
    if (plots.has(box) || !box.clientWidth) return;
    const { positions, curves } = JSON.parse(box.dataset.curves), lines = Object.entries(curves);
    plots.set(box, new uPlot({
      ...plain(box), scales: { x: { time: false } }, axes: [{ ...axis(), grid: { show: false }, values: counted, size: 30 }, { ...axis(), size: 52 }],
      series: [{}, ...lines.map(([name], place) => ({ label: name, stroke: colour(inks[place % inks.length]), width: 2, dash: place < inks.length ? [] : [6, 4], points: { show: false } }))],
    }, [positions, ...lines.map(([, points]) => points)], box));
  };
  const drawAll = (within) => {
    all("[data-curve]", within).forEach((box) => draw(box, JSON.parse(box.dataset.curve)));
    all("[data-curves]", within).forEach(drawLines);
  };
  addEventListener("resize", () => plots.forEach((plot, box) => plot.setSize({ width: box.clientWidth, height: box.clientHeight })));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    [...plots].forEach(([box, plot]) => { // a copy: a map that grows while it is gone through never ends
      const values = plot.data[1], pages = plot.data[0].at(-1);
      plot.destroy();
      plots.delete(box);
      if (box.dataset.curves) drawLines(box); else draw(box, values, pages);
    });
  });
  const narrow = matchMedia("(max-width: 780px)");
  const fold = (within) => { if (narrow.matches) all("details.fold", within).forEach((part) => { part.open = false; }); };
  document.addEventListener("htmx:afterSettle", (event) => { drawAll(event.target); fold(event.target); });
  document.addEventListener("htmx:responseError", (event) => { event.target.textContent = "That could not be shown."; });

  // Tabs

  const choose = (tab) => {
    for (const each of all("[role=tab]", tab.parentElement)) {
      const chosen = each === tab, panel = $(`#${each.getAttribute("aria-controls")}`);
      each.setAttribute("aria-selected", chosen);
      each.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
      if (chosen) {
        all("iframe[data-src]", panel).forEach((frame) => { frame.src = frame.dataset.src; frame.removeAttribute("data-src"); });
        all("[hx-trigger=revealed-tab]", panel).forEach((part) => htmx.trigger(part, "revealed-tab"));
      }
    }
    tab.focus();
  };
  all("[role=tab]").forEach((tab) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const tabs = all("[role=tab]", tab.parentElement), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) { event.preventDefault(); choose(tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]); }
    });
  });

  // One key for one word

  const keys = {};
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "/" && library) { event.preventDefault(); const box = $("#q"); if (box) box.focus(); else location.href = `/${library}/search`; return; }
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  // What somebody says of a page

  const article = $("article.page");
  if (article) {
    const say = async (relevant) => {
      await call("POST", "/labels", { url: article.dataset.url, relevant });
      all("[data-say]", article).forEach((button) => {
        if (button.dataset.say === "null") button.hidden = relevant === null;
        else button.setAttribute("aria-pressed", String(button.dataset.say === String(relevant)));
      });
      toast(relevant === null ? "Taken back." : `Noted: ${relevant ? "relevant" : "not relevant"}. u takes it back.`);
    };
    all("[data-say]", article).forEach((button) => button.addEventListener("click", () => say(JSON.parse(button.dataset.say))));
    Object.assign(keys, { y: () => say(true), n: () => say(false), u: () => say(null) });
  }
  all("[data-take-back]").forEach((button) => button.addEventListener("click", async () => {
    const row = button.closest("tr");
    await call("POST", "/labels", { url: row.dataset.url, relevant: null });
    row.remove();
    toast("Taken back.");
  }));

  if (article && "walking" in article.dataset) call("POST", "/trails/visit", { url: article.dataset.url }).then((view) => { $("#walking").dataset.steps = view.current ? view.current.steps.length : 0; });
  all("[data-trail]").forEach((button) => button.addEventListener("click", async () => { await call("POST", `/trails/${button.dataset.trail}`); location.reload(); }));
  if ($("#train")) $("#train").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = $("button", event.target);
    button.disabled = true;
    $("#trained").textContent = "Training …";
    try {
      const { report, strategy } = await call("POST", "/train", { strategy: $("#train-strategy").value });
      const told = report.accuracy === null ? "" : ` Of ${number(report.examined)} pages held out it told ${percent(report.accuracy)} rightly, where always saying the most frequent gives ${percent(report.usual || 0)}.`;
      $("#trained").textContent = `${strategy} was taught with ${number(report.pages)} pages.${told} Crawls that use it begin with that.`;
    } catch (error) { $("#trained").textContent = error.message; } finally { button.disabled = false; }
  });
  if ($("#note")) $("#note").addEventListener("submit", async (event) => {
    event.preventDefault();
    const note = await call("POST", "/notes", { url: article.dataset.url, text: $("#note-text").value, tags: $("#note-tags").value.split(",").filter((tag) => tag.trim()) });
    $("#note-tags").value = note.tags.join(", ");
    $(".writing summary").textContent = `Notes and tags${note.tags.length ? `: ${note.tags.join(", ")}` : ""}`;
    toast(note.text || note.tags.length ? "Kept." : "Taken away.");
  });
  all("[data-site-say]").forEach((button) => button.addEventListener("click", async () => {
    const row = button.closest("tr"), off = button.getAttribute("aria-pressed") === "true";
    await call("POST", "/labels", { url: row.dataset.site, relevant: off ? null : JSON.parse(button.dataset.siteSay), site: true });
    all("[data-site-say]", row).forEach((each) => each.setAttribute("aria-pressed", String(each === button && !off)));
    toast(off ? "Taken back." : "Noted. The same button takes it back.");
  }));

  // The map: pointing at a site leaves its own lines

  const pointAt = (event, on) => {
    const site = event.target.closest && event.target.closest(".map [data-site]"), map = site && site.closest(".map");
    if (!map) return;
    map.classList.toggle("pointed", on);
    const near = new Set([site.dataset.site]);
    all("path", map).forEach((line) => {
      const own = on && [line.dataset.from, line.dataset.to].includes(site.dataset.site);
      line.classList.toggle("near", own);
      if (own) { near.add(line.dataset.from); near.add(line.dataset.to); }
    });
    all("[data-site]", map).forEach((each) => each.classList.toggle("near", on && near.has(each.dataset.site)));
  };
  for (const [name, on] of [["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]]) document.addEventListener(name, (event) => pointAt(event, on));

  // The frontier

  const frontierRow = (link, mark) => {
    const row = element("li"), where = element("div"), address = element("a", "", link.anchor || short(link.url));
    address.href = pageAddress(link.url);
    address.dir = "auto";
    where.append(address, element("span", "where", short(link.url)));
    row.append(element("span", `number ${mark || ""}`, link.priority > 999999 ? "first" : link.priority === 999999 ? "drawn" : link.priority.toFixed(3)), where);
    return row;
  };
  const showFrontier = (list, links, before = []) => {
    const places = new Map(before.map((link, place) => [link.url, place]));
    refill(list, links.map((link, place) => {
      const was = places.get(link.url);
      return frontierRow(link, !before.length || was === place ? "" : was === undefined || was > place ? "up" : "down");
    }));
  };

  const toldOf = (judged) => `Judged again for ${judged.because.join(", ")}: ${number(judged.relevant_before)} pages counted, now ${number(judged.relevant)}; ${number(judged.links)} links have a new place.`;

  // The crawl

  const watch = $("#watch");
  if (watch) {
    const set = (id, text) => { $(`#${id}`).textContent = text; };
    let newest = 0, touched = false;
    const arrivedRow = (page) => {
      const row = element("li", `row${page.relevant ? " counts" : ""}`), score = element("div", "score"), what = element("div", "what");
      score.append(page.trouble ? element("span", "dot bad") : element("b", "", page.relevance.toFixed(2)));
      const title = element("a", "title", page.title || short(page.url));
      title.dir = "auto";
      title.href = pageAddress(page.url);
      what.append(title, element("span", "where", page.trouble ? `${short(page.url)} · ${page.trouble}` : short(page.url)));
      if (page.words.length || page.repeats) {
        const chips = element("span", "chips");
        page.words.forEach((word) => chips.append(element("span", "chip yes", word.word)));
        if (page.repeats) chips.append(element("span", "chip", "repeats another page"));
        what.append(chips);
      }
      row.append(score, what);
      return row;
    };
    const showHosts = (hosts) => refill($("#hosts"), hosts.map((host) => {
      const row = element("tr"), name = element("td"), address = element("a", "", host.host);
      address.href = `/${library}/pages?host=${encodeURIComponent(host.host)}`;
      name.append(address);
      const doing = { asked: "is asked", rests: `rests ${host.seconds} s`, held: "held: no robots.txt", ready: "ready" }[host.state];
      const steering = element("td", "steer");
      [["raise", "↑"], ["lower", "↓"], ["ban", "×"]].forEach(([action, sign]) => {
        const button = element("button", "tiny", sign);
        button.title = `${action} ${host.host}`;
        button.setAttribute("aria-label", button.title);
        button.addEventListener("click", () => steer(action, `host:${host.host}`));
        steering.append(button);
      });
      row.append(name, element("td", "number", number(host.pages)), element("td", "number", number(host.waiting)), element("td", "", doing), steering);
      return row;
    }));
    const done = { raise: "is raised", lower: "is lowered", ban: "is banned", "add-word": "was added to the topic", "strike-word": "was struck from the topic", "add-seed": "was added as a seed", "strike-seed": "was struck as a seed" };
    const showRules = (rules) => refill($("#rules"), rules.map((rule) => {
      const row = element("li"), undo = element("button", "button quiet", "Undo");
      undo.setAttribute("aria-label", `Undo: ${rule.rule} ${done[rule.action]}`);
      undo.addEventListener("click", async () => { mark(); show(await call("POST", "/steering/undo", { id: rule.id })); });
      row.append(element("span", "", `${rule.rule} ${done[rule.action]}`), undo);
      return row;
    }));
    const steer = async (action, rule) => { mark(); show(await call("POST", "/steering", { action, rule })); };
    const struck = (text, what, action, label = text) => {
      const row = element("li"), strike = element("button", "strike", "×");
      strike.setAttribute("aria-label", `Strike the ${what} ${text}`);
      strike.addEventListener("click", () => steer(action, text));
      row.append(element("span", "", label), strike);
      return row;
    };
    const showTopic = (view) => {
      refill($("#words"), view.words.map((word) => { const row = struck(word, "word", "strike-word"); row.className = "chip"; return row; }));
      refill($("#seed-list"), view.seeds.map((seed) => struck(seed, "seed", "strike-seed", short(seed))));
    };
    let before = [], last = [], beforeUntil = 0;
    const mark = () => { before = last; beforeUntil = Date.now() + 20000; };
    const showJudged = (judged) => {
      $("#judged").hidden = !judged;
      if (judged) $("#judged").textContent = toldOf(judged);
    };
    const showJudging = (judging) => {
      $("#judging").hidden = !judging;
      if (!judging) return;
      const [done, whole] = judging, bar = $("#judging progress");
      $("#judging span").textContent = `New pages go by it. Stored pages are judged again: ${number(done)} of ${number(whole)}`;
      bar.max = whole || 1;
      bar.value = done;
    };
    let rulesShown = "", topicShown = "", storedShown = false;
    const showStored = async () => {  // no crawl knows the frontier: the library does
      if (storedShown) return;
      storedShown = true;
      const links = await call("GET", "/frontier?limit=12");
      showFrontier($("#frontier"), links);
      $("#no-frontier").hidden = links.length > 0;
    };
    const states = { none: "no crawl is running", starting: "starting …", running: "running", paused: "paused", stopping: "stopping …", ended: "ended", broken: "broken off" };
    const show = (view) => {
      const state = $("#state");
      state.textContent = states[view.state] + (view.state === "ended" && view.ending ? `: ${view.ending}` : "");
      state.dataset.state = view.state;
      const idle = ["none", "ended", "broken"].includes(view.state);
      $("[data-crawl=start]").hidden = $("#more-pages").hidden = $("#until-recall").hidden = !idle;
      $("[data-crawl=pause]").hidden = view.state !== "running";
      $("[data-crawl=go-on]").hidden = view.state !== "paused";
      $("[data-crawl=stop]").hidden = idle || view.state === "stopping";
      $("#trouble").hidden = !view.error;
      set("trouble", view.error);
      if (JSON.stringify(view.steering) !== rulesShown) { rulesShown = JSON.stringify(view.steering); showRules(view.steering); }
      const topic = JSON.stringify([view.words, view.seeds]);
      if (topic !== topicShown) { topicShown = topic; showTopic(view); }
      if (view.state === "none") showStored();
      watch.classList.toggle("idle", view.state === "none" || view.state === "starting");
      if (view.state === "none" || view.state === "starting") return;
      set("f-recent-label", "harvest of the last 100");
      set("f-relevant", number(view.relevant));
      set("f-pages", number(view.pages));
      set("f-budget", view.budget ? `of ${number(view.budget)}` : "");
      set("f-recent", percent(view.recent));
      set("f-precision", view.expected_precision === null ? "–" : percent(view.expected_precision));
      const recall = view.recall;
      set("f-recall", recall && !recall.unknown ? percent(recall.recall) : "–");
      set("f-recall-range", recall && !recall.unknown ? `${percent(recall.low)} to ${percent(recall.high)}` : "not known");
      $("#no-recall").hidden = !(recall && recall.unknown);
      if (recall && recall.unknown) set("no-recall", `No recall is shown because ${recall.unknown}. To know it, ${recall.advice}.`);
      set("f-rate", view.state === "running" ? view.rate.toFixed(1) : "–");
      set("f-left-label", view.seconds_left === null ? "so far" : `left, until about ${clock(view.seconds_left)}`);
      set("f-left", duration(view.seconds_left === null ? view.elapsed : view.seconds_left));
      set("f-waiting", number(view.waiting));
      draw($("#curve"), view.curve.map((_, place) => { const near = view.curve.slice(Math.max(0, place - 9), place + 1); return near.reduce((sum, value) => sum + value, 0) / near.length; }), view.new_pages);
      showFrontier($("#frontier"), view.frontier, Date.now() < beforeUntil ? before : []);
      $("#no-frontier").hidden = view.frontier.length > 0;
      last = view.frontier;
      showJudging(view.judging);
      showJudged(view.judged);
      $("#kinds").replaceChildren(...Object.entries(view.kinds).map(([kind, pages]) => {
        const row = element("tr");
        row.append(element("td", "", kind), element("td", "number", number(pages)));
        return row;
      }));
      showHosts(view.hosts);
      const arrived = view.arrived.filter((page) => page.number > newest);
      if (arrived.length) {
        newest = arrived[arrived.length - 1].number;
        const list = $("#arrived");
        arrived.forEach((page) => list.prepend(arrivedRow(page)));
        while (list.children.length > 12) list.lastChild.remove();
      }
      $("#no-trouble").hidden = view.failed > 0;
      $("#troubles").replaceChildren(...Object.entries(view.troubles).map(([kind, times]) => {
        const row = element("tr");
        row.append(element("td", "", kind), element("td", "number", number(times)));
        return row;
      }));
      if (!touched) {
        $("#s-pages").value = view.budget;
        $("#s-threshold").value = Number(view.threshold.toFixed(3));
        $("#s-parallel").value = view.parallel;
        if (idle) $("#start-pages").value = Math.max(view.budget, view.pages) + 200;
      }
    };
    const act = async (what) => {
      if (what === "start") { newest = 0; const recall = $("#start-recall").value; show(await call("POST", "/crawl", { pages: Number($("#start-pages").value), ...(recall ? { recall: Number(recall) } : {}) })); }
      else show(await call("POST", `/crawl/${what}`));
    };
    all("[data-crawl]").forEach((button) => button.addEventListener("click", () => act(button.dataset.crawl)));
    keys.p = () => { const button = all("[data-crawl=pause], [data-crawl=go-on]").find((each) => !each.hidden); if (button) act(button.dataset.crawl); };
    $("#settings").addEventListener("input", () => { touched = true; });
    $("#settings").addEventListener("submit", async (event) => {
      event.preventDefault();
      const given = new FormData(event.target), change = {};
      for (const [name, value] of given) if (value !== "") change[name] = Number(value);
      show(await call("PATCH", "/crawl", change));
      touched = false;
      toast("Changed, from the next request on.");
    });
    $("#steer").addEventListener("submit", async (event) => {
      event.preventDefault();
      await steer($("#steer-action").value, $("#steer-rule").value);
      $("#steer-rule").value = "";
    });
    $("#seeds").addEventListener("submit", async (event) => {
      event.preventDefault();
      await steer("add-seed", $("#seed").value);
      event.target.reset();
    });
    $("#add-word").addEventListener("submit", async (event) => {
      event.preventDefault();
      await steer("add-word", $("#word").value);
      event.target.reset();
    });
    const events = new EventSource(`${base}/events`);
    events.addEventListener("crawl", (event) => show(JSON.parse(event.data)));
    events.addEventListener("error", () => { $("#state").textContent = "the dashboard does not answer"; });
  }

  // Questions

  if ($("#question")) {
    let asked = null, before = [], live = [];  // live: the frontier of a crawl that runs, which takes answers in by itself
    const show = (state) => {
      $("#q-wait").hidden = Boolean(state.question);
      $("#q-card").hidden = !state.question;
      asked = state.question;
      if (!asked) $("#q-wait").textContent = "There is nothing left to ask.";
      else {
        $("#q-host").textContent = short(asked.url).split("/")[0];
        $("#q-title").textContent = asked.title || short(asked.url);
        $("#q-title").href = pageAddress(asked.url);
        $("#q-url").textContent = short(asked.url);
        $("#q-score").textContent = `${asked.probability.toFixed(2)} now`;
        $("#q-words").replaceChildren(...asked.words.map((word) => element("span", `chip ${word.part > 0 ? "yes" : "no"}`, word.word)));
        $("#q-text").textContent = asked.snippet;
      }
      $("#q-counting").textContent = number(state.counting);
      $("#q-looked").textContent = number(state.looked_at);
      $("#q-answered").textContent = number(state.answered);
      $("#q-undo").disabled = !state.can_undo;
    };
    const answer = async (relevant) => {
      if (!asked) return;
      if (live.length) { before = live; showFrontier($("#front-before"), before); }
      show(await call("POST", "/question", { url: asked.url, relevant }));
    };
    const undo = async () => { if (!$("#q-undo").disabled) show(await call("POST", "/question/undo")); };
    all("[data-answer]").forEach((button) => button.addEventListener("click", () => answer(JSON.parse(button.dataset.answer))));
    $("#q-undo").addEventListener("click", undo);
    Object.assign(keys, { y: () => answer(true), n: () => answer(false), s: () => answer(null), u: undo });
    const frontier = () => call("GET", "/frontier?limit=10");
    const begin = async () => {
      before = await frontier();
      showFrontier($("#front-before"), before);
      showFrontier($("#front-now"), before);
      show(await call("GET", "/question"));
    };
    $("#effect").addEventListener("click", async (event) => {
      event.target.disabled = true;
      $("#effect-note").textContent = "Judging …";
      try {
        const effect = await call("POST", "/labels/effect");
        $("#effect-note").textContent = effect.later || `${number(effect.relevant_before)} pages counted, now ${number(effect.relevant)}; ${number(effect.links)} links have a new place.`;
        showFrontier($("#front-now"), await frontier(), before);
      } finally { event.target.disabled = false; }
    });
    new EventSource(`${base}/events`).addEventListener("crawl", (event) => {
      const view = JSON.parse(event.data);
      live = ["running", "paused"].includes(view.state) ? view.frontier.slice(0, 10) : [];
      $("#effect").hidden = live.length > 0;
      if (!live.length) return;
      showFrontier($("#front-now"), live, before);
      $("#effect-note").textContent = view.judged ? toldOf(view.judged) : "The crawl that runs takes answers in within seconds.";
    });
    begin().catch((error) => { $("#q-wait").textContent = error.message; });
  }

  if (narrow.matches) $("nav a[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });  // where one is, in a row too long for a phone
  drawAll(document);
  fold(document);
})();
