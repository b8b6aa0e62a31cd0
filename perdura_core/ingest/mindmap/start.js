
/* Putting it together: what the reader does, what the address says, what is shown. */
const at = (id) => document.getElementById(id);
const map = new MindMap(at("map"));
const numeral = (value) => value.toLocaleString("en");

function open(n, moves = true) {
  if (!shown[n]) {
    if (isOld(n)) wish.history = at("history").checked = true;
    wish.kinds.add(node.kind[n]);
    wish.disputes = at("disputes").checked = false;
    wish.domain = null;
    at("domain").value = "";
    for (const box of at("kinds").querySelectorAll("input")) box.checked = wish.kinds.has(Number(box.value));
    apply();
  }
  map.open = n;
  at("details").replaceChildren(...details(n, open, shut));
  at("details").hidden = false;
  at("details").parentElement.scrollTop = 0;
  at("found").textContent = `${node.id[n]}, ${content.kinds[node.kind[n]]}, ${edgesOf[n].length} edges`;
  if (moves) map.show(n);
  map.refresh();
  remember();
}

function shut() {
  map.open = null;
  at("details").hidden = true;
  at("details").replaceChildren();
  map.refresh();
  report();
  remember();
}

function apply() {
  select();
  at("results").replaceChildren(...overview(open));
  report();
  map.refresh();
}

function report() {
  const total = shown.reduce((sum, one) => sum + one, 0);
  const some = found === null ? `${numeral(total)} of ${numeral(count)} nodes shown` : `${numeral(found.length)} found`;
  at("found").textContent = some;
}

/* The address keeps what is looked at, so that a view can be passed on. */
let isReading = false;
function remember() {
  if (isReading) return;
  const view = new URLSearchParams();
  if (wish.words.length) view.set("search", at("search").value);
  if (wish.domain !== null) view.set("domain", content.domains[wish.domain]);
  if (wish.disputes) view.set("contradictions", "");
  if (wish.history) view.set("history", "");
  const left = content.kinds.filter((_, kind) => !wish.kinds.has(kind));
  if (left.length) view.set("without", left.join(","));
  if (map.open !== null) view.set("node", node.id[map.open]);
  history.replaceState(null, "", `#${view}`);
}

function recall() {
  isReading = true;
  const view = new URLSearchParams(location.hash.slice(1));
  at("search").value = view.get("search") || "";
  const domain = content.domains.indexOf(view.get("domain"));
  at("domain").value = domain < 0 ? "" : String(domain);
  at("disputes").checked = view.has("contradictions");
  at("history").checked = view.has("history");
  const left = (view.get("without") || "").split(",");
  for (const box of at("kinds").querySelectorAll("input")) box.checked = !left.includes(content.kinds[Number(box.value)]);
  read();
  const n = byId.get(view.get("node"));
  map.fit(shownNodes());
  if (n === undefined) shut();
  else open(n);
  isReading = false;
}

function shownNodes() {
  const some = found !== null && found.length ? found : [...shown.keys()].filter((n) => shown[n]);
  return some;
}

function read() {
  wish.words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  wish.domain = at("domain").value === "" ? null : Number(at("domain").value);
  wish.disputes = at("disputes").checked;
  wish.history = at("history").checked;
  wish.kinds = new Set([...at("kinds").querySelectorAll("input:checked")].map((box) => Number(box.value)));
  apply();
  if (map.open !== null && !shown[map.open]) shut();
  remember();
}

const SHAPES = { question: "◆", fact: "○", claim: "●", decision: "■", rejected: "×" };

function furnish() {
  const about = content.about;
  at("name").textContent = about.name;
  const kinds = content.kinds.map((_, kind) => node.kind.filter((other) => other === kind).length);
  at("about").textContent = `${numeral(count)} nodes · ${numeral(edge.type.length)} edges · `
    + `${numeral([...edge.type.keys()].filter(isDispute).length)} contradictions · event ${numeral(about.head)} · ${about.made}`;
  content.kinds.forEach((kind, number) => {
    const box = element("input", "");
    box.type = "checkbox";
    box.value = String(number);
    box.checked = true;
    at("kinds").append(element("label", "", box, `${SHAPES[kind]} ${kind} `, element("b", "", numeral(kinds[number]))));
  });
  content.domains.forEach((domain, number) => {
    const option = element("option", "", domain);
    option.value = String(number);
    at("domain").append(option);
  });
  at("legend").append(
    ...Object.entries(SHAPES).map(([kind, shape]) => element("span", "", `${shape} ${kind}`)),
    element("span", "disputed", "╌╌ contradicts"),
    element("span", "disputed", "┈┈ suspected"),
    element("span", "", "┈┈ worded alike"));
}

function listen() {
  let wait = 0;
  at("search").addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(() => { read(); if (found !== null && found.length) map.fit(found); }, 120);
  });
  at("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && found !== null && found.length) { open(found[0]); map.canvas.focus(); }
    if (event.key === "ArrowDown") { focusRow(at("results"), 0); event.preventDefault(); }
  });
  for (const id of ["kinds", "domain", "disputes", "history"]) at(id).addEventListener("change", read);
  addEventListener("hashchange", recall);
  addEventListener("keydown", press);
  new ResizeObserver(() => map.refresh()).observe(map.canvas);
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => map.dress());
  point(map.canvas);
}

function focusRow(list, step) {
  const all = [...list.querySelectorAll(".row")];
  const place = all.indexOf(document.activeElement);
  const next = all[place < 0 ? 0 : Math.max(0, Math.min(all.length - 1, place + step))];
  if (next) next.focus();
}

const ARROWS = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const focused = document.activeElement;
  if (event.key === "Escape") {
    if (map.open !== null) shut();
    else if (at("search").value) { at("search").value = ""; read(); }
    map.canvas.focus();
    return;
  }
  if (focused.matches("input[type=search], select")) return;
  if (focused.matches(".row") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    focusRow(focused.closest("section"), event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key in ARROWS && focused === map.canvas) map.move(...ARROWS[event.key]);
  else if (event.key === "+" || event.key === "=") map.zoom(1.3);
  else if (event.key === "-") map.zoom(1 / 1.3);
  else if (event.key === "0") map.fit(shownNodes());
  else if (event.key === "/") at("search").focus();
  else if (event.key === "Enter" && focused === map.canvas) openMiddle();
  else if (event.key === "]" || event.key === "[") turn(event.key === "]" ? 1 : -1);
  else return;
  event.preventDefault();
}

function openMiddle() {
  const n = map.at(map.width / 2, map.height / 2, Math.max(map.width, map.height));
  if (n !== null) open(n);
}

/* Over the edges of the open node, by keyboard: Enter on a row follows it. */
function turn(step) {
  if (map.open !== null) focusRow(at("details"), step);
}

function point(canvas) {
  const pointers = new Map();
  let moved = 0;
  let spread = 0;
  const gap = () => { const [a, b] = [...pointers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (pointers.size === 1) moved = 0;
    if (pointers.size === 2) spread = gap();
    canvas.focus();
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) {
      canvas.classList.toggle("over", map.at(event.offsetX, event.offsetY) !== null);
      return;
    }
    const [x, y] = [event.offsetX - last.x, event.offsetY - last.y];
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    moved += Math.abs(x) + Math.abs(y);
    canvas.classList.add("dragging");
    if (pointers.size === 1) map.move(-x, -y);
    if (pointers.size === 2) {
      const now = gap();
      if (spread > 0) map.zoom(now / spread, event.offsetX, event.offsetY);
      spread = now;
    }
  });
  const lift = (event) => {
    canvas.classList.remove("dragging");
    if (pointers.delete(event.pointerId) && event.type === "pointerup" && moved < 6) {
      const n = map.at(event.offsetX, event.offsetY);
      if (n !== null) open(n, false);
      else if (map.open !== null) shut();
    }
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    map.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), event.offsetX, event.offsetY);
  }, { passive: false });
}

furnish();
listen();
recall();
document.documentElement.dataset.ready = "yes";
