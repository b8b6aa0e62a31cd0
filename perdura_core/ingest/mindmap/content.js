
/* The mind as it came with the page: columns, in which a node or an edge is its position. */
const content = JSON.parse(document.getElementById("content").textContent);
const node = content.node;
const edge = content.edge;
const count = node.id.length;
const CONTRADICTS = content.ties.indexOf("contradicts");
const SUSPECTED = content.ties.indexOf("suspected");
const WORDED_LIKE = content.ties.indexOf("worded_like");
/* What nobody drew: near duplicates, and pairs that may contradict each other. */
function isDotted(e) { return edge.type[e] === SUSPECTED || edge.type[e] === WORDED_LIKE; }

/* Edges of each node: positions in the edge columns. */
const edgesOf = Array.from({ length: count }, () => []);
for (let e = 0; e < edge.type.length; e++) {
  edgesOf[edge.from[e]].push(e);
  if (edge.to[e] !== edge.from[e]) edgesOf[edge.to[e]].push(e);
}
const byId = new Map(node.id.map((id, n) => [id, n]));

const isOld = (n) => node.heir[n] !== null || ["superseded", "shadow", "deleted"].includes(node.state[n]);

/* What counts as dispute: a contradiction whose both ends stand. */
const isDispute = (e) => edge.type[e] === CONTRADICTS && !isOld(edge.from[e]) && !isOld(edge.to[e]);

const disputed = new Uint8Array(count);
for (let e = 0; e < edge.type.length; e++) {
  if (isDispute(e)) disputed[edge.from[e]] = disputed[edge.to[e]] = 1;
}

/* For searching: everything a reader may look for, in small letters. Made at the first search. */
let haystacks = null;
function haystack(n) {
  if (haystacks === null) {
    haystacks = node.id.map((id, i) =>
      [id, node.text[i], content.authors[node.by[i]], content.kinds[node.kind[i]], node.state[i],
        ...node.domains[i].map((d) => content.domains[d]), ...node.sources[i]].join("\n").toLowerCase());
  }
  return haystacks[n];
}

/* What the reader chose to see. */
const wish = { words: [], kinds: new Set(content.kinds.keys()), domain: null, disputes: false, history: false };

const shown = new Uint8Array(count);
let found = null; // positions that match the words, best first; null without words

function select() {
  for (let n = 0; n < count; n++) {
    shown[n] = wish.kinds.has(node.kind[n]) && (wish.domain === null || node.domains[n].includes(wish.domain))
      && (!wish.disputes || disputed[n] === 1 || (wish.history && edgesOf[n].some((e) => edge.type[e] === CONTRADICTS)))
      && (wish.history || !isOld(n)) ? 1 : 0;
  }
  found = wish.words.length ? search() : null;
}

function search() {
  const hits = [];
  for (let n = 0; n < count; n++) {
    if (shown[n] && wish.words.every((word) => haystack(n).includes(word))) hits.push(n);
  }
  const exact = (n) => (wish.words.length === 1 && node.id[n] === wish.words[0] ? 0 : 1);
  return hits.sort((a, b) => exact(a) - exact(b) || node.kind[a] - node.kind[b] || b - a);
}

const isEdgeShown = (e) =>
  shown[edge.from[e]] && shown[edge.to[e]] && (!wish.disputes || edge.type[e] === CONTRADICTS);

/* Squares of the map with the nodes in them, so that neither painting nor pointing looks at all nodes. */
const SQUARE = 8;
const squares = new Map();
const squareOf = (x, y) => `${Math.floor(x / SQUARE)},${Math.floor(y / SQUARE)}`;
for (let n = 0; n < count; n++) {
  const key = squareOf(node.x[n], node.y[n]);
  if (!squares.has(key)) squares.set(key, []);
  squares.get(key).push(n);
}

function nodesIn(left, top, right, bottom) {
  const across = Math.floor(right / SQUARE) - Math.floor(left / SQUARE) + 1;
  const down = Math.floor(bottom / SQUARE) - Math.floor(top / SQUARE) + 1;
  const lists = across * down > squares.size ? [...squares.values()] : [];
  if (!lists.length) {
    for (let i = 0; i < across; i++) {
      for (let j = 0; j < down; j++) {
        const list = squares.get(squareOf(left + i * SQUARE, top + j * SQUARE));
        if (list) lists.push(list);
      }
    }
  }
  const inside = [];
  for (const list of lists) {
    for (const n of list) {
      if (shown[n] && node.x[n] >= left && node.x[n] <= right && node.y[n] >= top && node.y[n] <= bottom) inside.push(n);
    }
  }
  return inside;
}
