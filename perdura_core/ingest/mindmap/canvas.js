
/* The map: pan and zoom over places that came with the page. What is painted depends on how much would be. */
const QUESTION = content.kinds.indexOf("question");
const MOST_EDGES = 5000; // beyond so many in sight only contradictions and the edges of the open node are drawn
const MOST_LABELS = 70;

class MindMap {
  constructor(canvas) {
    this.canvas = canvas;
    this.ink = canvas.getContext("2d");
    this.x = 0;
    this.y = 0;
    this.scale = 20; // pixels for one unit of the map
    this.open = null;
    this.isDue = false;
    this.dress();
  }

  dress() {
    const style = getComputedStyle(document.documentElement);
    const names = ["ground", "raised", "text", "strong", "dim", "faint", "rule", "accent", "disputed", "waiting", "settled"];
    this.colour = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.font = style.getPropertyValue("--mono").trim();
    this.refresh();
  }

  refresh() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paint();
    });
  }

  /* Where things are */

  get width() { return this.canvas.clientWidth; }
  get height() { return this.canvas.clientHeight; }
  across(n) { return (node.x[n] - this.x) * this.scale + this.width / 2; }
  down(n) { return (node.y[n] - this.y) * this.scale + this.height / 2; }

  fit(nodes) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const n of nodes) {
      left = Math.min(left, node.x[n]); right = Math.max(right, node.x[n]);
      top = Math.min(top, node.y[n]); bottom = Math.max(bottom, node.y[n]);
    }
    if (left > right) [left, top, right, bottom] = [-1, -1, 1, 1];
    this.x = (left + right) / 2;
    this.y = (top + bottom) / 2;
    const room = [(this.width - 90) / (right - left + 1), (this.height - 70) / (bottom - top + 1)];
    this.scale = Math.max(0.5, Math.min(60, ...room));
    this.refresh();
  }

  zoom(factor, atX = this.width / 2, atY = this.height / 2) {
    const scale = Math.max(0.5, Math.min(160, this.scale * factor));
    this.x += (atX - this.width / 2) * (1 / this.scale - 1 / scale);
    this.y += (atY - this.height / 2) * (1 / this.scale - 1 / scale);
    this.scale = scale;
    this.refresh();
  }

  move(pixelsX, pixelsY) {
    this.x += pixelsX / this.scale;
    this.y += pixelsY / this.scale;
    this.refresh();
  }

  show(n) {
    if (this.scale < 26) this.scale = 26;
    this.x = node.x[n];
    this.y = node.y[n];
    this.refresh();
  }

  at(pixelX, pixelY, reach = 14) {
    const x = (pixelX - this.width / 2) / this.scale + this.x;
    const y = (pixelY - this.height / 2) / this.scale + this.y;
    const far = reach / this.scale;
    let best = null;
    let least = far * far;
    for (const n of nodesIn(x - far, y - far, x + far, y + far)) {
      const distance = (node.x[n] - x) ** 2 + (node.y[n] - y) ** 2;
      if (distance < least) [best, least] = [n, distance];
    }
    return best;
  }

  /* Painting */

  paint() {
    const began = performance.now();
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const ink = this.ink;
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    ink.fillStyle = this.colour.ground;
    ink.fillRect(0, 0, this.width, this.height);
    const [halfWidth, halfHeight] = [this.width / 2 / this.scale + 1, this.height / 2 / this.scale + 1];
    const seen = nodesIn(this.x - halfWidth, this.y - halfHeight, this.x + halfWidth, this.y + halfHeight);
    this.paintEdges(seen);
    this.paintNodes(seen);
    this.paintLabels(seen);
    this.canvas.dataset.nodes = seen.length;
    this.canvas.dataset.ms = (performance.now() - began).toFixed(1);
  }

  get radius() { return Math.max(1.3, Math.min(7, this.scale * 0.22)); }

  paintEdges(seen) {
    const quiet = [];
    const disputes = [];
    const doubted = [];
    const own = [];
    const done = new Set();
    for (const n of seen) {
      for (const e of edgesOf[n]) {
        if (done.has(e) || !isEdgeShown(e)) continue;
        done.add(e);
        if (this.open !== null && (edge.from[e] === this.open || edge.to[e] === this.open)) own.push(e);
        else if (edge.type[e] === CONTRADICTS) disputes.push(e);
        else if (isDotted(e)) doubted.push(e);
        else quiet.push(e);
      }
    }
    const isCrowded = quiet.length > MOST_EDGES;
    if (!isCrowded) this.stroke(quiet, this.colour.faint, this.scale > 14 ? 0.55 : 0.28, 1, []);
    const isMuted = this.open !== null || found !== null;
    this.stroke(disputes, this.colour.disputed, isMuted ? 0.4 : 0.85, this.scale > 10 ? 1.3 : 1, [5, 4]);
    this.stroke(doubted.filter((e) => edge.type[e] === SUSPECTED), this.colour.disputed, isMuted ? 0.3 : 0.7, 1, [1, 3]);
    this.stroke(doubted.filter((e) => edge.type[e] !== SUSPECTED), this.colour.faint, isMuted ? 0.3 : 0.7, 1, [1, 3]);
    this.stroke(own.filter((e) => edge.type[e] !== CONTRADICTS && !isDotted(e)), this.colour.accent, 0.9, 1.4, []);
    this.stroke(own.filter(isDotted), this.colour.accent, 0.9, 1.4, [1, 3]);
    this.stroke(own.filter((e) => edge.type[e] === CONTRADICTS), this.colour.disputed, 1, 2, [5, 4]);
    this.canvas.dataset.edges = (isCrowded ? 0 : quiet.length) + disputes.length + doubted.length + own.length;
  }

  stroke(edges, colour, strength, width, dashes) {
    const ink = this.ink;
    ink.strokeStyle = colour;
    ink.globalAlpha = strength;
    ink.lineWidth = width;
    ink.setLineDash(dashes);
    ink.beginPath();
    for (const e of edges) {
      ink.moveTo(this.across(edge.from[e]), this.down(edge.from[e]));
      ink.lineTo(this.across(edge.to[e]), this.down(edge.to[e]));
    }
    ink.stroke();
    ink.setLineDash([]);
    ink.globalAlpha = 1;
  }

  /* Every kind has a shape of its own, so that colour is never all that tells. */
  paintNodes(seen) {
    const ink = this.ink;
    const hits = found === null ? null : new Set(found);
    const near = this.open === null ? null : new Set(edgesOf[this.open].flatMap((e) => [edge.from[e], edge.to[e]]));
    const batches = new Map();
    for (const n of seen) {
      const isQuiet = (hits !== null && !hits.has(n)) || (near !== null && hits === null && !near.has(n));
      const key = `${content.kinds[node.kind[n]]} ${isOld(n) ? 1 : 0} ${isQuiet ? 1 : 0} ${disputed[n]}`;
      if (!batches.has(key)) batches.set(key, []);
      batches.get(key).push(n);
    }
    const order = (key) => (key.startsWith("question") ? 1 : 0);
    for (const [key, nodes] of [...batches].sort((a, b) => order(a[0]) - order(b[0]))) {
      const [kind, old, quiet, dispute] = key.split(" ");
      ink.globalAlpha = (quiet === "1" ? 0.28 : 1) * (old === "1" ? 0.5 : 1);
      ink.beginPath();
      for (const n of nodes) trace(ink, kind, this.across(n), this.down(n), this.radius * (kind === "question" ? 1.7 : 1));
      const colour = kind === "question" ? this.colour.accent : dispute === "1" ? this.colour.disputed
        : kind === "fact" ? this.colour.dim : kind === "decision" ? this.colour.settled : this.colour.text;
      ink.fillStyle = old === "1" || (kind === "fact" && this.radius > 2) ? this.colour.ground : colour;
      ink.strokeStyle = colour;
      ink.lineWidth = 1.4;
      if (kind !== "rejected") ink.fill();
      if (kind === "rejected" || ink.fillStyle !== colour) ink.stroke();
    }
    ink.globalAlpha = 1;
    if (this.open !== null && shown[this.open]) {
      ink.strokeStyle = this.colour.strong;
      ink.lineWidth = 2;
      ink.beginPath();
      ink.arc(this.across(this.open), this.down(this.open), this.radius * 1.7 + 5, 0, 2 * Math.PI);
      ink.stroke();
    }
  }

  /* The weightiest first, and none over another. */
  paintLabels(seen) {
    const ink = this.ink;
    ink.font = `12px ${this.font}`;
    ink.textBaseline = "middle";
    const hits = found === null ? null : new Set(found);
    const near = this.open === null ? new Set() : new Set(edgesOf[this.open].flatMap((e) => [edge.from[e], edge.to[e]]));
    const weight = (n) => (n === this.open ? 1e6 : 0) + (hits !== null && hits.has(n) ? 1e5 : 0) + (near.has(n) ? 1e4 : 0)
      + (node.kind[n] === QUESTION ? 1000 : 0) + Math.min(edgesOf[n].length, 900);
    const wanted = seen.filter((n) => this.scale > 18 || weight(n) >= 1000).sort((a, b) => weight(b) - weight(a));
    const taken = [];
    let labels = 0;
    for (const n of wanted.slice(0, 6 * MOST_LABELS)) {
      const isMain = weight(n) >= 1000;
      const words = isMain || this.scale > 60 ? brief(n, n === this.open ? 60 : this.scale > 40 ? 44 : 30) : node.id[n];
      const [x, y, width] = [this.across(n) + this.radius * 1.7 + 5, this.down(n), ink.measureText(words).width];
      const box = [x - 3, y - 9, x + width + 3, y + 9];
      if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) continue;
      taken.push(box);
      ink.globalAlpha = 0.82;
      ink.fillStyle = this.colour.ground;
      ink.fillRect(box[0], box[1] + 1, box[2] - box[0], box[3] - box[1] - 2);
      ink.globalAlpha = 1;
      ink.fillStyle = n === this.open ? this.colour.strong : isMain ? this.colour.text : this.colour.dim;
      ink.fillText(words, x, y);
      if (++labels === MOST_LABELS) break;
    }
  }
}

function trace(ink, kind, x, y, r) {
  if (kind === "question") {
    ink.moveTo(x, y - r); ink.lineTo(x + r, y); ink.lineTo(x, y + r); ink.lineTo(x - r, y); ink.closePath();
  } else if (kind === "decision") {
    ink.rect(x - r, y - r, 2 * r, 2 * r);
  } else if (kind === "rejected") {
    ink.moveTo(x - r, y - r); ink.lineTo(x + r, y + r); ink.moveTo(x + r, y - r); ink.lineTo(x - r, y + r);
  } else if (r < 2) {
    ink.rect(x - r, y - r, 2 * r, 2 * r);
  } else {
    ink.moveTo(x + r, y);
    ink.arc(x, y, r, 0, 2 * Math.PI);
  }
}

function brief(n, length) {
  const letters = Array.from(node.text[n].slice(0, 2 * length + 2).replace(/\s+/g, " ").trim());
  return `${node.id[n]} ${letters.length > length ? `${letters.slice(0, length - 1).join("")}…` : letters.join("")}`;
}
