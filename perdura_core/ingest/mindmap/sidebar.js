
/* What stands beside the map. Texts of the mind become text nodes, never markup. */
const SAYS = {
  supports: ["supports", "supported by"], contradicts: ["contradicts", "contradicts"], refines: ["refines", "refined by"],
  answers: ["answers", "answered by"], depends_on: ["depends on", "needed by"], cites: ["cites", "cited by"],
  worded_like: ["worded like", "worded like"], suspected: ["may contradict", "may contradict"],
};
const ORDER = ["contradicts", "suspected", "answers", "supports", "refines", "depends_on", "cites", "worded_like"].map((type) => content.ties.indexOf(type));
const MOST_ROWS = 150;

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== null));
  return made;
}

function row(n, why, type, onOpen) {
  const said = element("span", "said", node.text[n].slice(0, 400));
  said.dir = "auto";
  const button = element("button", `row ${type}${isOld(n) ? " old" : ""}`, element("span", "id", node.id[n]), said,
    why ? element("span", "why", why) : null);
  button.type = "button";
  button.addEventListener("click", () => onOpen(n));
  return element("li", "", button);
}

function rows(items, total) {
  const list = element("ul", "", ...items);
  return total > items.length ? [list, element("p", "more", `${(total - items.length).toLocaleString("en")} more: search for them`)] : [list];
}

function details(n, onOpen, onClose) {
  const close = element("button", "close", "✕");
  close.type = "button";
  close.setAttribute("aria-label", "Close details");
  close.addEventListener("click", onClose);
  const text = element("p", "text", node.text[n]);
  text.dir = "auto";
  const head = element("div", "head", element("span", "", element("b", "", node.id[n]), ` ${content.kinds[node.kind[n]]}`), close);
  const parts = [head, text, properties(n, onOpen)];
  const edges = edgesOf[n].slice().sort((a, b) => ORDER.indexOf(edge.type[a]) - ORDER.indexOf(edge.type[b]));
  if (edges.length) {
    parts.push(element("h2", "", `${edges.length} ${edges.length === 1 ? "edge" : "edges"}`));
    parts.push(...rows(edges.slice(0, MOST_ROWS).map((e) => {
      const isFrom = edge.from[e] === n;
      const type = content.ties[edge.type[e]];
      const why = `${isFrom ? "→" : "←"} ${SAYS[type][isFrom ? 0 : 1]} · ${content.authors[edge.by[e]]}`;
      return row(isFrom ? edge.to[e] : edge.from[e], why, type, onOpen);
    }), edges.length));
  }
  return parts;
}

function properties(n, onOpen) {
  const list = element("dl", "");
  const say = (name, value, className) => {
    const said = element("dd", className || "", value);
    said.dir = "auto";
    list.append(element("dt", "", name), said);
  };
  if (node.state[n]) say("state", node.state[n], node.state[n] === "resolved" ? "settled" : "waiting");
  if (node.heir[n] !== null) {
    const heir = element("button", "", node.id[node.heir[n]]);
    heir.type = "button";
    heir.addEventListener("click", () => onOpen(node.heir[n]));
    say("by", heir);
  }
  if (disputed[n]) say("disputed", "a standing node contradicts it", "disputed");
  if (node.confidence[n] !== null) say("confidence", node.confidence[n].toFixed(2));
  if (node.level[n] !== null && node.level[n] > 1) say("level", node.level[n] === 2 ? "pattern" : "principle");
  if (node.domains[n].length) say("domains", node.domains[n].map((d) => content.domains[d]).join(", "));
  say("author", content.authors[node.by[n]]);
  say("since", node.at[n]);
  for (const source of node.sources[n].slice(0, 20)) say("source", source);
  return list;
}

function overview(onOpen) {
  if (found !== null) {
    if (!found.length) return [element("p", "empty", "Nothing here holds all of these words: take one away, or show more kinds.")];
    return [element("h2", "", "found"), ...rows(found.slice(0, MOST_ROWS).map((n) => row(n, "", "", onOpen)), found.length)];
  }
  const questions = [];
  for (let n = 0; n < count; n++) if (shown[n] && node.kind[n] === QUESTION) questions.push(n);
  if (!questions.length) return [element("p", "empty", count ? "No question among what is shown." : "This mind is empty.")];
  const heat = questions.map((n) => [n, edgesOf[n].filter((e) => shown[edge.from[e]] && shown[edge.to[e]]).length]);
  heat.sort((a, b) => b[1] - a[1]);
  const items = heat.slice(0, MOST_ROWS).map(([n, edges]) => row(n, `${edges} ${edges === 1 ? "edge" : "edges"}`, "", onOpen));
  return [element("h2", "", "questions"), ...rows(items, questions.length)];
}
